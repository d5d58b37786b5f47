// The answer to one POST, as a route of the protocol. Undecided until the first message: a response that comes first
// is plain JSON, anything before it opens an event stream. Long silence opens one too, so that proxies keep the
// connection and the client can come back.

import type { ServerResponse } from 'node:http';
import type { Route } from '../../protocol/route.ts';
import type { EventStream } from './event-stream.ts';
import { replyEmpty, replyJson } from './reply.ts';

const RETRY_MS = 500;

export interface Exchange extends Route {
  readonly startedAt: number;
  /** Opens the stream now if nothing was decided yet. */
  open(): void;
}

export interface ExchangeOptions {
  readonly response: ServerResponse;
  /** Whether the body holds a request, which must be answered, or only what is accepted silently. */
  readonly expectsAnswer: boolean;
  readonly createStream: () => EventStream;
  /** Added to a JSON answer. */
  readonly headers?: () => Readonly<Record<string, string>>;
  readonly onDone: (exchange: Exchange) => void;
}

export function createExchange(options: ExchangeOptions): Exchange {
  const { response, expectsAnswer } = options;
  let stream: EventStream | null = null;
  let done = false;

  const open = (): EventStream => {
    if (stream) return stream;
    stream = options.createStream();
    if (!response.destroyed) stream.attach(response);
    return stream;
  };
  const finish = (): void => {
    done = true;
    options.onDone(exchange);
  };
  const exchange: Exchange = {
    startedAt: Date.now(),
    open() {
      if (!done) open();
    },
    send(text) {
      if (!done) open().push(text);
    },
    end(text, status, extra = {}) {
      if (done) return;
      if (stream) {
        stream.push(text);
        stream.end();
      } else {
        for (const [name, value] of Object.entries({ ...options.headers?.(), ...extra }))
          response.setHeader(name, value);
        replyJson(response, status, text);
      }
      finish();
    },
    skip() {
      if (done) return;
      // A cancelled request gets no response, but HTTP wants an answer: a stream that ends.
      if (expectsAnswer) open().end();
      else replyEmpty(response, 202);
      finish();
    },
    closeStream() {
      if (!done) open().release(RETRY_MS);
    },
  };
  return exchange;
}
