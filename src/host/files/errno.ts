// System errors → WASI error codes. What is not known becomes `io`, so that no message or path of the machine leaks.

import { HostFailure } from '../../core/port.ts';

const CODES: ReadonlyMap<string, string> = new Map([
  ['EACCES', 'access'],
  ['EAGAIN', 'would-block'],
  ['EBADF', 'bad-descriptor'],
  ['EBUSY', 'busy'],
  ['EDQUOT', 'quota'],
  ['EEXIST', 'exist'],
  ['EFBIG', 'file-too-large'],
  ['EILSEQ', 'illegal-byte-sequence'],
  ['EINVAL', 'invalid'],
  ['EISDIR', 'is-directory'],
  ['ELOOP', 'loop'],
  ['EMFILE', 'insufficient-memory'],
  ['EMLINK', 'too-many-links'],
  ['ENAMETOOLONG', 'name-too-long'],
  ['ENFILE', 'insufficient-memory'],
  ['ENODEV', 'no-device'],
  ['ENOENT', 'no-entry'],
  ['ENOMEM', 'insufficient-memory'],
  ['ENOSPC', 'insufficient-space'],
  ['ENOTDIR', 'not-directory'],
  ['ENOTEMPTY', 'not-empty'],
  ['ENOTSUP', 'unsupported'],
  ['ENXIO', 'no-such-device'],
  ['EPERM', 'not-permitted'],
  ['EROFS', 'read-only'],
  ['ETXTBSY', 'text-file-busy'],
  ['EXDEV', 'cross-device'],
  ['ERR_INVALID_ARG_VALUE', 'invalid'],
]);

export function fileFailure(error: unknown): HostFailure {
  if (error instanceof HostFailure) return error;
  const code = (error as { code?: unknown } | null)?.code;
  return new HostFailure((typeof code === 'string' && CODES.get(code)) || 'io');
}

/** Runs a system call and turns its error into the WASI one. */
export function system<T>(call: () => T): T {
  try {
    return call();
  } catch (error) {
    throw fileFailure(error);
  }
}
