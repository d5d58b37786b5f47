// wasi:random, answered in the cell from the system's generator. The insecure interfaces get secure bytes too: there is
// no reason to give a guest less, nor to share a seed between calls.

import { randomFillSync } from 'node:crypto';
import type { HostInstance } from '../../engine/engine.ts';
import type { Value } from '../../wit/value.ts';

/** Asked for more, the guest traps: the list could not be made in its memory for long anyway. */
const MOST = 1 << 24;

function randomBytes(length: number): Uint8Array {
  return randomFillSync(new Uint8Array(length));
}

function bytes(length: Value): Value {
  const size = length as bigint;
  if (size > BigInt(MOST))
    throw new Error(`${size} random bytes asked for, at most ${MOST} are given at once`);
  return randomBytes(Number(size));
}

function u64(): bigint {
  return new DataView(randomBytes(8).buffer).getBigUint64(0);
}

export function createRandom(): Readonly<Record<'random' | 'insecure' | 'insecure-seed', HostInstance>> {
  return {
    random: { 'get-random-bytes': bytes, 'get-random-u64': u64 },
    insecure: { 'get-insecure-random-bytes': bytes, 'get-insecure-random-u64': u64 },
    'insecure-seed': { 'insecure-seed': () => [u64(), u64()] },
  };
}
