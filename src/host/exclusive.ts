// One at a time, for operations that a guest waits for before it asks again. A cell that asks twice at once has been
// taken over or is broken; it is refused, so that it cannot pile up listeners and timers in the broker.

import { HostFailure } from '../core/port.ts';

export type Exclusive = <T>(work: () => Promise<T>) => Promise<T>;

export function createExclusive(): Exclusive {
  let busy = false;
  return async (work) => {
    if (busy) throw new HostFailure('concurrency-conflict');
    busy = true;
    try {
      return await work();
    } finally {
      busy = false;
    }
  };
}
