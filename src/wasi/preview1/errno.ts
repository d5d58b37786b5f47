// Error numbers of preview 1, and how failures become them. A pointer outside the guest's memory is EFAULT, never an
// error of the host.

import { HostFailure } from '../../core/port.ts';

export const E = {
  success: 0,
  badf: 8,
  fault: 21,
  ilseq: 25,
  inval: 28,
  io: 29,
  isdir: 31,
  nametoolong: 37,
  nosys: 52,
  notdir: 54,
  notsock: 57,
  notsup: 58,
  overflow: 61,
  spipe: 70,
  mfile: 33,
  notcapable: 76,
} as const;

const NUMBERS: ReadonlyMap<string, number> = new Map([
  ['access', 2],
  ['would-block', 6],
  ['already', 7],
  ['bad-descriptor', 8],
  ['busy', 10],
  ['deadlock', 16],
  ['quota', 19],
  ['exist', 20],
  ['file-too-large', 22],
  ['illegal-byte-sequence', 25],
  ['in-progress', 26],
  ['interrupted', 27],
  ['invalid', 28],
  ['io', 29],
  ['is-directory', 31],
  ['loop', 32],
  ['too-many-links', 34],
  ['message-size', 35],
  ['name-too-long', 37],
  ['no-device', 43],
  ['no-entry', 44],
  ['no-lock', 46],
  ['insufficient-memory', 48],
  ['insufficient-space', 51],
  ['unsupported', 58],
  ['not-directory', 54],
  ['not-empty', 55],
  ['not-recoverable', 56],
  ['no-tty', 59],
  ['no-such-device', 60],
  ['overflow', 61],
  ['not-permitted', 63],
  ['pipe', 64],
  ['read-only', 69],
  ['invalid-seek', 70],
  ['text-file-busy', 74],
  ['cross-device', 75],
]);

/** Thrown inside preview 1 to answer with a number. */
export class Errno extends Error {
  readonly number: number;

  constructor(number: number) {
    super(`errno ${number}`);
    this.number = number;
  }
}

function errnoOf(error: unknown): number {
  if (error instanceof Errno) return error.number;
  if (error instanceof HostFailure) return NUMBERS.get(error.code) ?? E.io;
  // Every access to guest memory goes through a DataView or a typed array of exactly that memory.
  if (error instanceof RangeError) return E.fault;
  throw error;
}

type Work = () => unknown;

/** Runs one function of preview 1: its number, at once where nothing had to be waited for. */
export function numbered(work: Work): number | Promise<number> {
  try {
    const done = work();
    return done instanceof Promise ? done.then(() => E.success, errnoOf) : E.success;
  } catch (error) {
    return errnoOf(error);
  }
}
