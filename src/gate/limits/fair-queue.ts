// So many calls run at once, the rest wait: each flow in a line of its own, the lines served in turn, one call each. A
// flow with a thousand calls delays another's by one call, not by a thousand. A slot is held while something runs and
// by nothing that waits for a person.

import { callsRefusal } from './refusals.ts';

export interface QueueOptions {
  /** Calls that run at once, of all flows. */
  readonly concurrent: number;
  /** Calls of one flow that run at once; null: as many as there are slots. */
  readonly perFlow: number | null;
  /** Calls of one flow that may wait. */
  readonly waiting: number;
}

export interface FairQueue {
  /**
   * Null: go ahead. Otherwise settles when it is this call's turn, and rejects if the signal aborts before. Throws
   * `too-many-calls` where the line is full. Whoever went ahead must `leave` once.
   */
  enter(flow: string, signal: AbortSignal): Promise<void> | null;
  leave(flow: string): void;
  set(options: QueueOptions): void;
  readonly running: number;
  readonly waiting: number;
}

interface Flow {
  running: number;
  readonly waiters: Set<Waiter>;
}

interface Waiter {
  readonly go: () => void;
}

export function createFairQueue(options: QueueOptions, onWaiting: (waiting: number) => void): FairQueue {
  let { concurrent, perFlow, waiting: mostWaiting } = options;
  let running = 0;
  let waiting = 0;
  const flows = new Map<string, Flow>();
  /** Flows with somebody waiting who may go, in the order of their turns. */
  const turns = new Set<Flow>();

  const mayRun = (flow: Flow): boolean => perFlow === null || flow.running < perFlow;

  const line = (flow: Flow): void => {
    if (flow.waiters.size > 0 && mayRun(flow)) turns.add(flow);
    else turns.delete(flow);
  };

  const advance = (): void => {
    while (running < concurrent && turns.size > 0) {
      const flow = turns.values().next().value!;
      const waiter = flow.waiters.values().next().value!;
      flow.waiters.delete(waiter);
      flow.running++;
      running++;
      // To the end of the turns, if it has more.
      turns.delete(flow);
      line(flow);
      waiter.go();
    }
  };

  const count = (change: number): void => {
    waiting += change;
    onWaiting(waiting);
  };

  const wait = (name: string, flow: Flow, signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const waiter: Waiter = {
        go() {
          signal.removeEventListener('abort', giveUp);
          count(-1);
          resolve();
        },
      };
      const giveUp = (): void => {
        flow.waiters.delete(waiter);
        line(flow);
        if (flow.running === 0 && flow.waiters.size === 0) flows.delete(name);
        count(-1);
        reject(signal.reason);
      };
      signal.addEventListener('abort', giveUp, { once: true });
      flow.waiters.add(waiter);
      count(1);
      line(flow);
    });

  return {
    enter(name, signal) {
      signal.throwIfAborted();
      let flow = flows.get(name);
      // Whoever waits, waits for slots or for calls of their own: only those with none waiting may pass.
      if (running < concurrent && (flow === undefined || (flow.waiters.size === 0 && mayRun(flow)))) {
        if (flow === undefined) flows.set(name, { running: 1, waiters: new Set() });
        else flow.running++;
        running++;
        return null;
      }
      if ((flow?.waiters.size ?? 0) >= mostWaiting) throw callsRefusal('limits.queue', mostWaiting);
      if (flow === undefined) {
        flow = { running: 0, waiters: new Set() };
        flows.set(name, flow);
      }
      return wait(name, flow, signal);
    },
    leave(name) {
      const flow = flows.get(name);
      if (flow === undefined || flow.running === 0) return;
      flow.running--;
      running--;
      if (flow.running === 0 && flow.waiters.size === 0) flows.delete(name);
      else line(flow);
      advance();
    },
    set(next) {
      ({ concurrent, perFlow, waiting: mostWaiting } = next);
      for (const flow of flows.values()) line(flow);
      advance();
    },
    get running() {
      return running;
    },
    get waiting() {
      return waiting;
    },
  };
}
