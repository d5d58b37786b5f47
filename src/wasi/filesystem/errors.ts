// Error codes of wasi:filesystem. A code that is not one of them, which only another interface could have meant,
// becomes `io`.

import type { HostFailure } from '../../core/port.ts';

const KNOWN: ReadonlySet<string> = new Set([
  'access',
  'would-block',
  'already',
  'bad-descriptor',
  'busy',
  'deadlock',
  'quota',
  'exist',
  'file-too-large',
  'illegal-byte-sequence',
  'in-progress',
  'interrupted',
  'invalid',
  'io',
  'is-directory',
  'loop',
  'too-many-links',
  'message-size',
  'name-too-long',
  'no-device',
  'no-entry',
  'no-lock',
  'insufficient-memory',
  'insufficient-space',
  'not-directory',
  'not-empty',
  'not-recoverable',
  'unsupported',
  'no-tty',
  'no-such-device',
  'overflow',
  'not-permitted',
  'pipe',
  'read-only',
  'invalid-seek',
  'text-file-busy',
  'cross-device',
]);

export const isFileError = ({ code }: HostFailure): boolean => KNOWN.has(code);

export const fileError = (failure: HostFailure): string => (isFileError(failure) ? failure.code : 'io');
