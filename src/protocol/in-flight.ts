// The requests of one connection that have no answer yet. A client may use an id twice at once although it must not:
// both are then served, and a cancel of that id means both.

import type { Id } from './envelope.ts';

export interface Flight {
  readonly abort: AbortController;
  /** Set once the request is answered or cancelled: nothing may be sent for it any more. */
  over: boolean;
  /** Never ends by itself, so nobody waits for it. */
  readonly standing: boolean;
  /** Answers the request with an error, whatever its work is still doing. */
  tell(error: unknown): void;
}

export interface InFlight {
  readonly size: number;
  start(id: Id, standing: boolean, tell: (flight: Flight, error: unknown) => void): Flight;
  /** False if it had ended before. */
  end(id: Id, flight: Flight): boolean;
  cancel(id: Id, reason: unknown): void;
  cancelAll(reason: unknown): void;
  /** Tells every request the error as its answer, then aborts its work. */
  failAll(error: unknown): void;
  /** Resolves when nothing is in flight any more that ends by itself. */
  drained(): Promise<void>;
}

export function createInFlight(): InFlight {
  const flights = new Map<Id, Flight[]>();
  let size = 0;
  let standing = 0;
  let waiting: (() => void)[] = [];
  // Ended at once, even if the work takes no notice of being aborted.
  const cancel = (flight: Flight, reason: unknown): void => {
    flight.over = true;
    flight.tell(reason);
    flight.abort.abort(reason);
  };
  return {
    get size() {
      return size;
    },
    start(id, stands, tell) {
      const flight: Flight = {
        abort: new AbortController(),
        over: false,
        standing: stands,
        tell: (error) => tell(flight, error),
      };
      const same = flights.get(id);
      if (same) same.push(flight);
      else flights.set(id, [flight]);
      size += 1;
      if (stands) standing += 1;
      return flight;
    },
    end(id, flight) {
      const same = flights.get(id);
      const at = same?.indexOf(flight) ?? -1;
      if (!same || at < 0) return false;
      same.splice(at, 1);
      if (same.length === 0) flights.delete(id);
      flight.over = true;
      size -= 1;
      if (flight.standing) standing -= 1;
      if (size > standing) return true;
      for (const resolve of waiting) resolve();
      waiting = [];
      return true;
    },
    cancel(id, reason) {
      for (const flight of [...(flights.get(id) ?? [])]) cancel(flight, reason);
    },
    cancelAll(reason) {
      for (const same of [...flights.values()]) for (const flight of [...same]) cancel(flight, reason);
    },
    failAll(error) {
      for (const same of [...flights.values()]) {
        for (const flight of [...same]) {
          flight.tell(error);
          flight.abort.abort(error);
        }
      }
    },
    drained: () => (size === standing ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))),
  };
}
