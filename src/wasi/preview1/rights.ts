// Rights of preview 1, as far as they still mean something: a guest reads them, and may give some of them up. What a
// descriptor may really do is decided by the broker.

import { E, Errno } from './errno.ts';

const bits = (...positions: number[]): bigint => positions.reduce((sum, at) => sum | (1n << BigInt(at)), 0n);

export const FD_READ = bits(1);
export const FD_WRITE = bits(6);

const READ = bits(1, 2, 5, 7, 21, 27);
const WRITE = bits(0, 2, 3, 4, 5, 6, 7, 8, 21, 22, 23, 27);
const LOOK = bits(13, 14, 15, 18, 21);
const CHANGE = bits(4, 9, 10, 11, 12, 16, 17, 20, 23, 24, 25, 26);

/** What files below a directory can have. */
export const FILE_RIGHTS = READ | WRITE;

export function fileRights(flags: readonly string[]): bigint {
  return (flags.includes('read') ? READ : 0n) | (flags.includes('write') ? WRITE : 0n);
}

export function directoryRights(flags: readonly string[]): bigint {
  return LOOK | (flags.includes('mutate-directory') ? CHANGE : 0n);
}

export function streamRights(kind: 'stdin' | 'stdout' | 'stderr'): bigint {
  return bits(kind === 'stdin' ? 1 : 6, 21, 27);
}

/** Rights can be given up and never taken back. */
export function narrowRights(current: bigint, asked: bigint): bigint {
  if ((asked & ~current) !== 0n) throw new Errno(E.notcapable);
  return asked;
}
