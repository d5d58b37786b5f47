// Error codes of wasi:http, with the payloads their cases have. What the broker does not say is left `none`.

import type { HostFailure } from '../../core/port.ts';
import type { Value } from '../../wit/value.ts';

const PLAIN: ReadonlySet<string> = new Set([
  'DNS-timeout',
  'destination-not-found',
  'destination-unavailable',
  'destination-IP-prohibited',
  'destination-IP-unroutable',
  'connection-refused',
  'connection-terminated',
  'connection-timeout',
  'connection-read-timeout',
  'connection-write-timeout',
  'connection-limit-reached',
  'TLS-protocol-error',
  'TLS-certificate-error',
  'HTTP-request-denied',
  'HTTP-request-length-required',
  'HTTP-request-method-invalid',
  'HTTP-request-URI-invalid',
  'HTTP-request-URI-too-long',
  'HTTP-response-incomplete',
  'HTTP-response-timeout',
  'HTTP-upgrade-failed',
  'HTTP-protocol-error',
  'loop-detected',
  'configuration-error',
]);

/** Cases whose payload is an optional number or text. */
const OPTIONAL: ReadonlySet<string> = new Set([
  'HTTP-request-body-size',
  'HTTP-request-header-section-size',
  'HTTP-request-trailer-section-size',
  'HTTP-response-header-section-size',
  'HTTP-response-body-size',
  'HTTP-response-trailer-section-size',
  'HTTP-response-transfer-coding',
  'HTTP-response-content-coding',
]);

export function httpError({ code, detail }: HostFailure): Value {
  if (PLAIN.has(code)) return { tag: code };
  if (code === 'DNS-error') {
    return {
      tag: code,
      val: { rcode: typeof detail === 'string' ? detail : undefined, 'info-code': undefined },
    };
  }
  if (OPTIONAL.has(code)) {
    const size = code.endsWith('body-size') && typeof detail === 'number' ? BigInt(detail) : undefined;
    return { tag: code, val: size };
  }
  return { tag: 'internal-error', val: undefined };
}

export const isHttpError = ({ code }: HostFailure): boolean =>
  PLAIN.has(code) || OPTIONAL.has(code) || code === 'DNS-error' || code === 'internal-error';
