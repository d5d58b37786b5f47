// Errors of sockets and name lookup → error codes of wasi:sockets. What is not known becomes `unknown`.

import { HostFailure } from '../../core/port.ts';

const CODES: ReadonlyMap<string, string> = new Map([
  ['EACCES', 'access-denied'],
  ['EPERM', 'access-denied'],
  ['EADDRINUSE', 'address-in-use'],
  ['EADDRNOTAVAIL', 'address-not-bindable'],
  ['EAFNOSUPPORT', 'not-supported'],
  ['EAI_AGAIN', 'temporary-resolver-failure'],
  ['EAI_FAIL', 'permanent-resolver-failure'],
  ['ECONNABORTED', 'connection-aborted'],
  ['ECONNREFUSED', 'connection-refused'],
  ['ECONNRESET', 'connection-reset'],
  ['EPIPE', 'connection-reset'],
  ['EHOSTUNREACH', 'remote-unreachable'],
  ['ENETUNREACH', 'remote-unreachable'],
  ['ENETDOWN', 'remote-unreachable'],
  ['EINVAL', 'invalid-argument'],
  ['EMFILE', 'new-socket-limit'],
  ['EMSGSIZE', 'datagram-too-large'],
  ['ENODATA', 'name-unresolvable'],
  ['ENOTFOUND', 'name-unresolvable'],
  ['ETIMEDOUT', 'timeout'],
]);

export function socketFailure(error: unknown): HostFailure {
  if (error instanceof HostFailure) return error;
  const code = (error as { code?: unknown } | null)?.code;
  return new HostFailure((typeof code === 'string' && CODES.get(code)) || 'unknown');
}
