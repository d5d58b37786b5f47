// One server-sent event stream, which may outlive the HTTP response that carries it: with a name its events get ids,
// are kept (bounded), and go on where they stopped when the client comes back. Without a name it lives and dies with
// its response. A reader that does not read is let go.

import type { ServerResponse } from 'node:http';
import type { TransportLimits } from '../limits.ts';

export interface EventStream {
  readonly ended: boolean;
  /** Somebody reads it now. */
  readonly attached: boolean;
  push(text: string): void;
  /** The last event is out: the stream is over, though it may still be replayed. */
  end(): void;
  /** Carries the stream on this response, from after the given event; the response it had before is ended. */
  attach(response: ServerResponse, after?: number): void;
  /** Ends the response but not the stream, and says when to come back. */
  release(retryMs: number): void;
  /** Ends everything, for good. */
  close(): void;
  keepAlive(): void;
}

/** What all streams together keep for replay, in characters. */
export interface ReplayBudget {
  used: number;
  readonly most: number;
}

export interface EventStreamOptions {
  /** Part of the event ids; null for streams that cannot be resumed. */
  readonly name: string | null;
  /** Whether a first event without data gives the client an id to come back with. */
  readonly primes: () => boolean;
  readonly limits: TransportLimits;
  /** Shared by streams with names, which keep their events. */
  readonly replay?: ReplayBudget;
  /** Written before anything else on every response that carries the stream. */
  readonly greeting?: string;
  /** The response went away before the stream was over. */
  readonly onLost?: () => void;
}

interface KeptEvent {
  readonly id: number;
  readonly frame: string;
}

const HEADERS = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-cache, no-transform',
  'X-Accel-Buffering': 'no',
};

export function createEventStream(options: EventStreamOptions): EventStream {
  const { name, primes, limits } = options;
  const replay = options.replay ?? { used: 0, most: limits.maxReplayBytes };
  const kept: KeptEvent[] = [];
  let keptBytes = 0;
  let nextId = 1;
  let delivered = 0;
  let carrier: ServerResponse | null = null;
  let ended = false;

  const drop = (): void => {
    const size = kept.shift()?.frame.length ?? 0;
    keptBytes -= size;
    replay.used -= size;
  };
  const keep = (event: KeptEvent): void => {
    kept.push(event);
    keptBytes += event.frame.length;
    replay.used += event.frame.length;
    while (kept.length > limits.maxReplayEvents || (keptBytes > limits.maxReplayBytes && kept.length > 1))
      drop();
    // When all have too much, this one can be replayed from here on only.
    while (replay.used > replay.most && kept.length > 0) drop();
  };
  const write = (frame: string): void => {
    if (!carrier) return;
    carrier.write(frame);
    if (carrier.writableLength > limits.maxBacklogBytes) carrier.destroy();
  };
  const finish = (): void => {
    carrier?.end();
    carrier = null;
  };

  return {
    get ended() {
      return ended;
    },
    get attached() {
      return carrier !== null;
    },
    push(text) {
      if (ended) return;
      if (name === null) {
        write(`event: message\ndata: ${text}\n\n`);
        return;
      }
      const event = { id: nextId++, frame: `id: ${name}-${nextId - 1}\nevent: message\ndata: ${text}\n\n` };
      keep(event);
      if (!carrier) return;
      write(event.frame);
      delivered = event.id;
    },
    end() {
      ended = true;
      finish();
    },
    attach(response, after = delivered) {
      finish();
      // Gone while it was looked at who asks: nobody would say so again.
      if (response.destroyed) {
        if (!ended) options.onLost?.();
        return;
      }
      carrier = response;
      response.on('close', () => {
        if (carrier !== response) return;
        carrier = null;
        if (!ended) options.onLost?.();
      });
      response.writeHead(200, HEADERS);
      response.flushHeaders();
      if (options.greeting !== undefined) write(options.greeting);
      if (name !== null && primes()) write(`id: ${name}-${after}\ndata: \n\n`);
      for (const event of kept) {
        if (event.id > after) write(event.frame);
      }
      delivered = nextId - 1;
      if (ended) finish();
    },
    release(retryMs) {
      // A client that was given no id yet could not come back.
      const canReturn = name !== null && (delivered > 0 || primes());
      if (!carrier || !canReturn) return;
      write(`retry: ${retryMs}\n\n`);
      finish();
    },
    close() {
      ended = true;
      while (kept.length > 0) drop();
      finish();
    },
    keepAlive() {
      write(': keep-alive\n\n');
    },
  };
}
