// Errors of Node's HTTP, TLS, DNS and sockets → error codes of wasi:http. No message of the system reaches the guest.

import { HostFailure } from '../../core/port.ts';

const CODES: ReadonlyMap<string, string> = new Map([
  ['ECONNREFUSED', 'connection-refused'],
  ['ECONNRESET', 'connection-terminated'],
  ['ECONNABORTED', 'connection-terminated'],
  ['EPIPE', 'connection-terminated'],
  ['ETIMEDOUT', 'connection-timeout'],
  ['EHOSTUNREACH', 'destination-IP-unroutable'],
  ['ENETUNREACH', 'destination-IP-unroutable'],
  ['EADDRNOTAVAIL', 'destination-IP-unroutable'],
  ['EAI_AGAIN', 'DNS-timeout'],
  ['ETIMEOUT', 'DNS-timeout'],
  ['HPE_HEADER_OVERFLOW', 'HTTP-response-header-section-size'],
  ['HPE_INVALID_TRANSFER_ENCODING', 'HTTP-response-transfer-coding'],
  ['EPROTO', 'TLS-protocol-error'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'TLS-certificate-error'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'TLS-certificate-error'],
  ['UNABLE_TO_GET_ISSUER_CERT', 'TLS-certificate-error'],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'TLS-certificate-error'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'TLS-certificate-error'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'TLS-certificate-error'],
  ['HOSTNAME_MISMATCH', 'TLS-certificate-error'],
]);

export function httpFailure(error: unknown): HostFailure {
  if (error instanceof HostFailure) return error;
  const code = codeOf(error);
  if (code === 'ENOTFOUND' || code === 'ENODATA') return new HostFailure('DNS-error', 'NXDOMAIN');
  const known = CODES.get(code);
  if (known !== undefined) return new HostFailure(known);
  if (code.startsWith('HPE_')) return new HostFailure('HTTP-protocol-error');
  if (code.startsWith('CERT_')) return new HostFailure('TLS-certificate-error');
  if (code.startsWith('ERR_SSL_') || code.startsWith('ERR_TLS_'))
    return new HostFailure('TLS-protocol-error');
  return new HostFailure('internal-error');
}

/** With several addresses tried, Node wraps the errors of all of them: the first says enough. */
function codeOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0]);
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : '';
}
