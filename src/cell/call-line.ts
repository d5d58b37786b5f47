// Calls that wait for a cell of their component, in the order in which they go: callers take turns, one call each, and
// the calls of one caller go as they came. Each call gets the number of its turn when it comes; a caller who was away
// starts with the turn that is on now, so that nobody saves up turns and nobody's line is another's delay.

import { WitboxError } from '../core/errors.ts';
import type { ActiveCall } from './active-call.ts';

interface Flow {
  /** Turn of its last call. */
  turn: number;
  waiting: number;
}

/** How many full lines there may be. */
const MOST_LINES = 4;

export class CallLine {
  readonly #component: string;
  readonly #most: number;
  readonly #flows = new Map<string, Flow>();
  #calls: ActiveCall[] = [];
  #turn = 0;

  /** `most`: calls of one caller that may wait. */
  constructor(component: string, most: number) {
    this.#component = component;
    this.#most = most;
  }

  get length(): number {
    return this.#calls.length;
  }

  at(index: number): ActiveCall {
    return this.#calls[index]!;
  }

  /** Throws `cell-queue-full`. */
  add(call: ActiveCall): void {
    const flow = this.#flows.get(call.flow);
    if ((flow?.waiting ?? 0) >= this.#most || this.#calls.length >= this.#most * MOST_LINES) {
      throw new WitboxError('cell-queue-full', { component: this.#component, limit: this.#most });
    }
    call.turn = flow === undefined ? this.#turn : Math.max(this.#turn, flow.turn + 1);
    this.#insert(call);
  }

  /** Those that were taken and had not begun go before others of their turn. */
  putBack(calls: readonly ActiveCall[]): void {
    for (const call of calls.toReversed()) this.#insert(call, true);
  }

  take(index: number): ActiveCall {
    const call = this.#calls[index]!;
    this.#leave(index);
    this.#turn = Math.max(this.#turn, call.turn);
    return call;
  }

  remove(call: ActiveCall): boolean {
    const index = this.#calls.indexOf(call);
    if (index >= 0) this.#leave(index);
    return index >= 0;
  }

  clear(): readonly ActiveCall[] {
    const calls = this.#calls;
    this.#calls = [];
    this.#flows.clear();
    return calls;
  }

  #insert(call: ActiveCall, first = false): void {
    const flow = this.#flows.get(call.flow);
    if (flow === undefined) this.#flows.set(call.flow, { turn: call.turn, waiting: 1 });
    else {
      flow.turn = Math.max(flow.turn, call.turn);
      flow.waiting++;
    }
    let low = 0;
    let high = this.#calls.length;
    // Mostly there is one caller, whose next call goes to the end.
    if (high > 0 && this.#calls[high - 1]!.turn < call.turn) low = high;
    while (low < high) {
      const middle = (low + high) >> 1;
      const { turn } = this.#calls[middle]!;
      if (turn < call.turn || (turn === call.turn && !first)) low = middle + 1;
      else high = middle;
    }
    this.#calls.splice(low, 0, call);
  }

  #leave(index: number): void {
    const [call] = this.#calls.splice(index, 1) as [ActiveCall];
    const flow = this.#flows.get(call.flow);
    if (flow !== undefined && --flow.waiting === 0) this.#flows.delete(call.flow);
  }
}
