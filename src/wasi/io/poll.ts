// wasi:io/poll. An empty list traps, as the interface says: it would wait for nothing, forever.

import { type HostInstance, suspending } from '../../engine/engine.ts';
import { type Pollable, pollableResource, waitForAny } from './pollable.ts';

export function createPoll(): HostInstance {
  return {
    pollable: pollableResource,
    '[method]pollable.ready': (pollable) => (pollable as Pollable).ready(),
    '[method]pollable.block': suspending((pollable) =>
      (pollable as Pollable).ready() ? undefined : waitForAny([pollable as Pollable]),
    ),
    poll: suspending((list) => {
      const pollables = list as readonly Pollable[];
      if (pollables.length === 0) throw new Error('poll() needs at least one pollable');
      const ready = readyOf(pollables);
      return ready.length > 0 ? ready : waitForAny(pollables).then(() => readyOf(pollables));
    }),
  };
}

function readyOf(pollables: readonly Pollable[]): number[] {
  const ready: number[] = [];
  for (const [at, pollable] of pollables.entries()) if (pollable.ready()) ready.push(at);
  return ready;
}
