// Reads the arguments of one operation as they came from a cell, which may be under an attacker's control: each reader
// checks type and range and throws `HostFailure('invalid')`. Nothing is coerced.

import { HostFailure, type WireValue } from '../core/port.ts';

type Args = readonly WireValue[];

const invalid = (): never => {
  throw new HostFailure('invalid');
};

export function text(args: Args, at: number, most = 4096): string {
  const value = args[at];
  return typeof value === 'string' && value.length <= most ? value : invalid();
}

export function bytes(args: Args, at: number, most: number): Uint8Array {
  const value = args[at];
  return value instanceof Uint8Array && value.byteLength <= most ? value : invalid();
}

/** An unsigned integer that fits `most`. */
export function integer(args: Args, at: number, most = 0xffff_ffff): number {
  const value = args[at];
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= most
    ? value
    : invalid();
}

/** A u64, as a bigint or a safe integer. */
export function u64(args: Args, at: number): bigint {
  const value = args[at];
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return BigInt(value);
  return typeof value === 'bigint' && value >= 0n && value < 1n << 64n ? value : invalid();
}

export function list(args: Args, at: number, most: number): readonly WireValue[] {
  const value = args[at];
  return Array.isArray(value) && value.length <= most ? value : invalid();
}

/** A list of names out of `known`, as a set. */
export function names<T extends string>(args: Args, at: number, known: readonly T[]): ReadonlySet<T> {
  const found = new Set<T>();
  for (const name of list(args, at, 64)) {
    found.add(known.find((one) => one === name) ?? invalid());
  }
  return found;
}
