// The events of one session, by stream, for clients that lost their connection.

import type { HttpFault } from '../fault.ts';

interface StoredEvent {
  readonly id: string;
  readonly data: string;
}

interface Stream {
  readonly events: StoredEvent[];
  done: boolean;
  readonly waiting: Set<() => void>;
}

export interface EventStore {
  open(): { add(data: string): StoredEvent; end(): void };
  /** All events after this one, of its stream, those that come later too. */
  follow(last: string, send: (event: StoredEvent) => void, end: () => void): void;
}

export function createEventStore(how: HttpFault): EventStore {
  const streams: Stream[] = [];

  function pass(stream: Stream, from: number, send: (event: StoredEvent) => void, end: () => void): void {
    let next = from;
    const more = () => {
      for (; next < stream.events.length; next++) send(stream.events[next]!);
      if (stream.done) end();
    };
    stream.waiting.add(more);
    more();
  }

  return {
    open() {
      const stream: Stream = { events: [], done: false, waiting: new Set() };
      const number = how.sameEventIds ? 0 : streams.push(stream);
      const wake = () => {
        for (const more of stream.waiting) more();
      };
      return {
        add(data) {
          const event = { id: `${number}-${stream.events.length}`, data };
          stream.events.push(event);
          wake();
          return event;
        },
        end() {
          stream.done = true;
          wake();
        },
      };
    },
    follow(last, send, end) {
      const at = streams.findIndex(({ events }) => events.some(({ id }) => id === last));
      const stream = streams[at];
      if (stream === undefined) return end();
      if (how.replaysAll)
        for (const other of streams) if (other !== stream) for (const event of other.events) send(event);
      pass(stream, stream.events.findIndex(({ id }) => id === last) + 1, send, end);
    },
  };
}
