// Preview 1: arguments, environment, clocks, random bytes, and the end of the program.

import { suspending } from '../../engine/engine.ts';
import type { Call } from '../call.ts';
import { GuestExit } from '../cli/exit.ts';
import { type Monotonic, wallTime } from '../clocks/clocks.ts';
import { E, Errno, numbered } from './errno.ts';
import { type GuestMemory, u32 } from './memory.ts';
import type { Functions } from './preview1.ts';

const MOST_RANDOM = 1 << 16;
const encoder = new TextEncoder();

export function processFunctions(call: Call, memory: GuestMemory, clock: Monotonic): Functions {
  const strings = async (kind: 'arguments' | 'environment'): Promise<Uint8Array[]> => {
    const beginning = await call.begin();
    const texts =
      kind === 'arguments'
        ? beginning.arguments
        : beginning.environment.map(([key, value]) => `${key}=${value}`);
    return texts.map((text) => encoder.encode(`${text.replaceAll('\0', '')}\0`));
  };
  const sizes = (kind: 'arguments' | 'environment') =>
    suspending((count, size) =>
      numbered(async () => {
        const all = await strings(kind);
        const view = memory.view();
        view.setUint32(u32(count as number), all.length, true);
        view.setUint32(
          u32(size as number),
          all.reduce((sum, { byteLength }) => sum + byteLength, 0),
          true,
        );
      }),
    );
  const get = (kind: 'arguments' | 'environment') =>
    suspending((pointers, buffer) =>
      numbered(async () => {
        let at = u32(buffer as number);
        for (const [i, bytes] of (await strings(kind)).entries()) {
          memory.view().setUint32(u32(pointers as number) + 4 * i, at, true);
          memory.window(at, bytes.byteLength).set(bytes);
          at += bytes.byteLength;
        }
      }),
    );
  return {
    args_sizes_get: sizes('arguments'),
    args_get: get('arguments'),
    environ_sizes_get: sizes('environment'),
    environ_get: get('environment'),
    clock_res_get: (id, result) =>
      numbered(() => memory.view().setBigUint64(u32(result as number), resolution(id as number), true)),
    clock_time_get: (id, _precision, result) =>
      numbered(() => memory.view().setBigUint64(u32(result as number), timeOf(clock, id as number), true)),
    random_get: (at, length) =>
      numbered(() => {
        const bytes = memory.window(at as number, length as number);
        for (let from = 0; from < bytes.byteLength; from += MOST_RANDOM) {
          crypto.getRandomValues(bytes.subarray(from, from + MOST_RANDOM) as Uint8Array<ArrayBuffer>);
        }
      }),
    proc_exit: (code) => {
      throw new GuestExit(u32(code as number));
    },
    proc_raise: () => E.nosys,
    sched_yield: () => E.success,
  };
}

/** 0 is the wall clock, 1 the monotonic one; the two that count processor time are not offered. */
function timeOf(clock: Monotonic, id: number): bigint {
  if (id === 0) return wallTime();
  if (id === 1) return clock.now();
  throw new Errno(E.inval);
}

function resolution(id: number): bigint {
  if (id === 0) return 1_000_000n;
  if (id === 1) return 1n;
  throw new Errno(E.inval);
}
