// Preview 1: poll_oneoff. Files and standard streams are always ready; clocks are waited for without blocking the cell.

import { suspending } from '../../engine/engine.ts';
import type { Call } from '../call.ts';
import { type Monotonic, wallTime } from '../clocks/clocks.ts';
import { type Pollable, waitForAny } from '../io/pollable.ts';
import { E, Errno, numbered } from './errno.ts';
import { type GuestMemory, u32 } from './memory.ts';
import type { Functions } from './preview1.ts';
import type { Table } from './table.ts';

const MOST = 1024;

interface Subscription {
  readonly user: bigint;
  /** 0 clock, 1 read, 2 write. */
  readonly type: number;
  readonly errno: number;
  readonly pollable: Pollable | null;
}

export function pollFunctions(_call: Call, memory: GuestMemory, table: Table, clock: Monotonic): Functions {
  function readOne(view: DataView): Subscription {
    const [user, type] = [view.getBigUint64(0, true), view.getUint8(8)];
    if (type === 0) return { user, type, errno: 0, pollable: timer(view) };
    if (type > 2) throw new Errno(E.inval);
    try {
      table.get(view.getUint32(16, true));
      return { user, type, errno: 0, pollable: null };
    } catch {
      return { user, type, errno: E.badf, pollable: null };
    }
  }

  function timer(view: DataView): Pollable {
    const [id, timeout] = [view.getUint32(16, true), view.getBigUint64(24, true)];
    if (id > 1) throw new Errno(E.inval);
    const absolute = (view.getUint16(40, true) & 1) !== 0;
    const passed = id === 0 ? wallTime() : clock.now();
    return clock.until(clock.now() + (absolute ? timeout - passed : timeout));
  }

  async function poll(from: number, to: number, count: number, result: number): Promise<void> {
    if (count === 0 || count > MOST) throw new Errno(E.inval);
    const { buffer } = memory.view();
    const subscriptions = Array.from({ length: count }, (_, i) =>
      readOne(new DataView(buffer, from + 48 * i, 48)),
    );
    memory.window(to, 32 * count);
    const isReady = ({ pollable }: Subscription): boolean => pollable?.ready() ?? true;
    if (!subscriptions.some(isReady)) {
      await waitForAny(subscriptions.map(({ pollable }) => pollable).filter((one) => one !== null));
    }
    const ready = subscriptions.filter(isReady);
    for (const [i, { user, type, errno }] of ready.entries()) {
      const event = new DataView(memory.view().buffer, to + 32 * i, 32);
      event.setBigUint64(0, user, true);
      event.setUint16(8, errno, true);
      event.setUint8(10, type);
      event.setBigUint64(16, errno === 0 && type !== 0 ? 1n : 0n, true);
      event.setUint16(24, 0, true);
    }
    memory.view().setUint32(result, ready.length, true);
  }

  return {
    poll_oneoff: suspending((from, to, count, result) =>
      table.ready(() =>
        numbered(() =>
          poll(u32(from as number), u32(to as number), u32(count as number), u32(result as number)),
        ),
      ),
    ),
  };
}
