// Which calls of a cell run, as far as the broker can know. A cell takes calls in order and begins the next when the
// one before it has ended or waits for the host; it writes out every answer before it begins another. So the clock of
// a call starts when the broker sees that nothing is before it, and time spent behind others is not its own.

import type { ActiveCall } from './active-call.ts';

export class Turns {
  readonly #waiting: ActiveCall[] = [];
  #running = 0;

  /** Calls that do not wait for the host: running, or behind one that runs. */
  get busy(): number {
    return this.#waiting.length + this.#running;
  }

  add(call: ActiveCall): void {
    this.#waiting.push(call);
    this.#advance();
  }

  /** A call that speaks has begun, even if the broker did not know it yet; so have those before it. */
  heard(call: ActiveCall): void {
    while (call.startedAt === 0 && this.#waiting.length > 0) this.#begin();
  }

  /** The call now waits for the host. */
  pause(): void {
    this.#running--;
    this.#advance();
  }

  resume(): void {
    this.#running++;
  }

  #begin(): void {
    const next = this.#waiting.shift();
    if (next === undefined) return;
    next.startedAt = performance.now();
    this.#running++;
  }

  #advance(): void {
    if (this.#running === 0) this.#begin();
  }
}
