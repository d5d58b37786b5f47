// wasi:clocks: wall and monotonic time, answered in the cell. The monotonic clock starts with the call, so it tells
// nothing about how long the machine has been up.

import type { HostInstance } from '../../engine/engine.ts';
import type { Value } from '../../wit/value.ts';
import { type Pollable, pollableResource } from '../io/pollable.ts';

const NANOSECONDS = 1_000_000_000n;
/** The longest that one timer of the system can wait. */
const MOST_MS = 2_000_000_000;

export interface Monotonic {
  now(): bigint;
  until(instant: bigint): Pollable;
}

export function createMonotonic(): Monotonic {
  const start = process.hrtime.bigint();
  const now = (): bigint => process.hrtime.bigint() - start;
  return {
    now,
    until: (instant) => ({
      ready: () => now() >= instant,
      subscribe(wake) {
        const left = instant - now();
        const ms = left <= 0n ? 0 : Math.min(Number(left / 1_000_000n) + 1, MOST_MS);
        const timer = setTimeout(wake, ms);
        return () => clearTimeout(timer);
      },
    }),
  };
}

export function createMonotonicClock(clock: Monotonic): HostInstance {
  return {
    pollable: pollableResource,
    now: () => clock.now(),
    resolution: () => 1n,
    'subscribe-instant': (instant) => clock.until(instant as bigint),
    'subscribe-duration': (duration) => clock.until(clock.now() + (duration as bigint)),
  };
}

export function createWallClock(): HostInstance {
  return {
    now: () => datetime(wallTime()),
    resolution: () => datetime(1_000_000n),
  };
}

/** Where the machine stands is none of a guest's business: everywhere is UTC. */
export function createTimezone(): HostInstance {
  return {
    display: () => ({ 'utc-offset': 0, name: 'UTC', 'in-daylight-saving-time': false }),
    'utc-offset': () => 0,
  };
}

/** Nanoseconds since 1970, to the millisecond. */
export const wallTime = (): bigint => BigInt(Date.now()) * 1_000_000n;

export function datetime(nanoseconds: bigint): Value {
  return { seconds: nanoseconds / NANOSECONDS, nanoseconds: Number(nanoseconds % NANOSECONDS) };
}
