// The handles of one call. A handle is a number that means nothing outside its call; every operation names the kind it
// expects, and a number of another kind is as bad as none. Odd numbers are given by the host, even ones are chosen by
// the cell (so that it need not wait for an answer before it goes on), each usable once.

import { randomInt } from 'node:crypto';
import { HostFailure } from '../core/port.ts';

export interface Holding {
  readonly kind: string;
  close(): void | Promise<void>;
}

export interface Handles {
  add(holding: Holding): number;
  /** Puts a holding under a number the cell chose. */
  put(id: number, holding: Holding): void;
  get<T extends Holding>(kind: T['kind'], id: number): T;
  drop(id: number): void;
  count(kind: string): number;
  closeAll(): Promise<void>;
}

/** What is let go of may be broken already; nobody is left to be told. */
async function release(holding: Holding): Promise<void> {
  try {
    await holding.close();
  } catch {}
}

export function createHandles(most: number): Handles {
  const held = new Map<number, Holding>();
  // Not from 1: a handle kept from an earlier call of a session must not by chance be another one here.
  let next = 1 + 2 * randomInt(1 << 30);
  let lastChosen = 0;
  let closed = false;

  const room = (holding: Holding): void => {
    if (!closed && held.size < most) return;
    void release(holding);
    throw new HostFailure('insufficient-memory');
  };

  return {
    add(holding) {
      room(holding);
      const id = next;
      next += 2;
      held.set(id, holding);
      return id;
    },
    put(id, holding) {
      room(holding);
      // Chosen numbers only grow, so that a number is never used for two things.
      if (id % 2 !== 0 || id <= lastChosen) {
        void release(holding);
        throw new HostFailure('bad-descriptor');
      }
      lastChosen = id;
      held.set(id, holding);
    },
    get<T extends Holding>(kind: T['kind'], id: number): T {
      const holding = held.get(id);
      if (holding === undefined || holding.kind !== kind) throw new HostFailure('bad-descriptor');
      return holding as T;
    },
    drop(id) {
      const holding = held.get(id);
      held.delete(id);
      if (holding !== undefined) void release(holding);
    },
    count(kind) {
      let sum = 0;
      for (const holding of held.values()) if (holding.kind === kind) sum++;
      return sum;
    },
    async closeAll() {
      closed = true;
      const all = [...held.values()];
      held.clear();
      await Promise.all(all.map(release));
    },
  };
}
