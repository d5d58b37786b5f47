// The response side of wasi:http/types: future-incoming-response, incoming-response, incoming-body, future-trailers.
// The exchange belongs to the response and what is made from it; the last one to be dropped ends it.

import { HostFailure, type WireValue } from '../../core/port.ts';
import { type HostFunc, hostResource } from '../../engine/engine.ts';
import type { Value } from '../../wit/value.ts';
import type { Call } from '../call.ts';
import { createInputStream, type InputStream } from '../io/input-stream.ts';
import { type Pollable, pollableOf } from '../io/pollable.ts';
import { err, ok } from '../result.ts';
import { httpError } from './errors.ts';
import { frozenFields, type Row } from './fields.ts';

/** The broker's exchange, dropped when nobody holds it any more. */
export interface Exchange {
  readonly id: number;
  hold(): void;
  release(): void;
}

export function createExchange(call: Call): Exchange {
  let holders = 1;
  const id = call.nextId();
  return {
    id,
    hold() {
      holders++;
    },
    release() {
      if (--holders === 0) call.drop(id);
    },
  };
}

/** An answer under way: what it became, and whether the guest has taken it. */
interface Future {
  readonly pollable: Pollable;
  outcome: Value;
  taken: boolean;
  close(): void;
}

export interface IncomingResponse {
  readonly status: number;
  readonly headers: readonly Row[];
  readonly exchange: Exchange;
  consumed: boolean;
}

interface IncomingBody {
  readonly exchange: Exchange;
  stream: InputStream | undefined;
  finished: boolean;
}

const dropFuture = (future: object): void => (future as Future).close();

export const futureResponseResource = hostResource({ name: 'future-incoming-response', drop: dropFuture });
export const futureTrailersResource = hostResource({ name: 'future-trailers', drop: dropFuture });
export const incomingResponseResource = hostResource({
  name: 'incoming-response',
  drop: (response) => (response as IncomingResponse).exchange.release(),
});
export const incomingBodyResource = hostResource({
  name: 'incoming-body',
  drop: (body) => (body as IncomingBody).exchange.release(),
});

/** `answer` gives the value of the inner result's ok. */
function createFuture(answer: Promise<Value>, close: () => void): Future {
  const outcome = answer.then(ok, (error: unknown) =>
    err(httpError(error instanceof HostFailure ? error : new HostFailure('internal-error'))),
  );
  const future: Future = { pollable: pollableOf(outcome), outcome: undefined, taken: false, close };
  void outcome.then((value) => {
    future.outcome = value;
  });
  return future;
}

/** The response to a request that was started with `started` (rejects if it never began). */
export function futureResponse({ port }: Call, exchange: Exchange, started: Promise<WireValue>): object {
  const answer = started
    .then(() => port.request('http.response', [exchange.id]))
    .then((head): Value => {
      const [status, headers] = head as unknown as [number, readonly Row[]];
      exchange.hold();
      return { status, headers, exchange, consumed: false } satisfies IncomingResponse;
    });
  return createFuture(answer, () => exchange.release());
}

/** Given at most once: `none` before, the outcome in `ok`, then `err`. */
function take(self: Value): Value {
  const future = self as Future;
  if (future.outcome === undefined) return undefined;
  if (future.taken) return err();
  future.taken = true;
  return ok(future.outcome);
}

export function incomingMethods(call: Call): Readonly<Record<string, HostFunc>> {
  const response = (self: Value): IncomingResponse => self as IncomingResponse;
  const subscribe = (self: Value): Value => (self as Future).pollable;
  return {
    '[method]future-incoming-response.subscribe': subscribe,
    '[method]future-incoming-response.get': take,
    '[method]future-trailers.subscribe': subscribe,
    '[method]future-trailers.get': take,
    '[method]incoming-response.status': (self) => response(self).status,
    '[method]incoming-response.headers': (self) => frozenFields(response(self).headers),
    '[method]incoming-response.consume': (self) => {
      const { consumed, exchange } = response(self);
      if (consumed) return err();
      response(self).consumed = true;
      exchange.hold();
      return ok({ exchange, stream: undefined, finished: false } satisfies IncomingBody);
    },
    '[method]incoming-body.stream': (self) => {
      const body = self as IncomingBody;
      if (body.stream !== undefined) return err();
      body.stream = bodyStream(call, body.exchange);
      return ok(body.stream);
    },
    '[static]incoming-body.finish': (self) => {
      const { exchange } = self as IncomingBody;
      const trailers = call.port
        .request('http.trailers', [exchange.id])
        .then((rows): Value => (rows === null ? undefined : frozenFields(rows as unknown as readonly Row[])));
      return createFuture(trailers, () => exchange.release());
    },
  };
}

function bodyStream({ port }: Call, exchange: Exchange): InputStream {
  exchange.hold();
  return createInputStream({
    pull: async (most) => (await port.request('http.read', [exchange.id, most])) as Uint8Array,
    close: () => exchange.release(),
  });
}
