// Something a guest can wait for. Waiting is a subscription that is taken back when another pollable was first, so a
// guest that polls in a loop leaves nothing behind.

import { hostResource } from '../../engine/engine.ts';

export interface Pollable {
  ready(): boolean;
  /** Calls `wake` once when it may have become ready; the returned function takes the subscription back. */
  subscribe(wake: () => void): () => void;
}

export const pollableResource = hostResource({ name: 'pollable' });

export const alwaysReady: Pollable = { ready: () => true, subscribe: () => () => {} };

/** A set of waiting polls, woken together. */
export interface Signal {
  subscribe(wake: () => void): () => void;
  wake(): void;
}

export function createSignal(): Signal {
  const waiting = new Set<() => void>();
  return {
    subscribe(wake) {
      waiting.add(wake);
      return () => waiting.delete(wake);
    },
    wake() {
      const all = [...waiting];
      waiting.clear();
      for (const wake of all) wake();
    },
  };
}

/** Waits until one of them is ready. */
export async function waitForAny(pollables: readonly Pollable[]): Promise<void> {
  while (!pollables.some((pollable) => pollable.ready())) {
    await new Promise<void>((resolve) => {
      const leave: (() => void)[] = [];
      const wake = (): void => {
        for (const unsubscribe of leave) unsubscribe();
        resolve();
      };
      for (const pollable of pollables) leave.push(pollable.subscribe(wake));
    });
  }
}

/** A pollable for an answer that is under way. */
export function pollableOf(answer: Promise<unknown>): Pollable {
  let settled = false;
  const signal = createSignal();
  const settle = (): void => {
    settled = true;
    signal.wake();
  };
  answer.then(settle, settle);
  return { ready: () => settled, subscribe: signal.subscribe };
}
