// The request side of wasi:http/types: outgoing-request, outgoing-body and request-options. A body may be written before
// or after the request is handed over; what is written before waits, within the budget of its stream.

import type { Port } from '../../core/port.ts';
import { HostFailure } from '../../core/port.ts';
import { type HostFunc, hostResource, suspending } from '../../engine/engine.ts';
import type { Value } from '../../wit/value.ts';
import { createOutputStream, type OutputStream } from '../io/output-stream.ts';
import { err, ok } from '../result.ts';
import { httpError } from './errors.ts';
import { type Fields, frozenFields } from './fields.ts';

interface Tagged {
  readonly tag: string;
  readonly val?: string;
}

export interface OutgoingRequest {
  readonly headers: Fields;
  method: Tagged;
  scheme: Tagged | undefined;
  authority: string | undefined;
  path: string | undefined;
  body: OutgoingBody | undefined;
}

export interface OutgoingBody {
  stream: OutputStream | undefined;
  /** The exchange the body belongs to, once its request was handed over and begun. */
  readonly exchange: PromiseWithResolvers<number>;
  handedOver: boolean;
  written: number;
  finished: boolean;
  close(): void;
}

export interface RequestOptions {
  connect: bigint | undefined;
  firstByte: bigint | undefined;
  betweenBytes: bigint | undefined;
}

export const outgoingRequestResource = hostResource({
  name: 'outgoing-request',
  drop: (request) =>
    (request as OutgoingRequest).body?.exchange.reject(new HostFailure('HTTP-protocol-error')),
});
export const outgoingBodyResource = hostResource({
  name: 'outgoing-body',
  drop: (body) => (body as OutgoingBody).close(),
});
export const requestOptionsResource = hostResource({ name: 'request-options' });

const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,32}$/;
const PATH = /^[\x21\x22\x24-\x7e]*$/;
const AUTHORITY = /^(?:\[[0-9a-fA-F:.]+\]|[^\s/?#@[\]:\\"<>^`{|}]+)(?::[0-9]{1,5})?$/;

export function outgoingMethods(port: Port): Readonly<Record<string, HostFunc>> {
  const request = (self: Value): OutgoingRequest => self as OutgoingRequest;
  return {
    '[constructor]outgoing-request': (headers) =>
      ({
        headers: frozenFields((headers as Fields).rows),
        method: { tag: 'get' },
        scheme: undefined,
        authority: undefined,
        path: undefined,
        body: undefined,
      }) satisfies OutgoingRequest,
    '[method]outgoing-request.body': (self) => {
      if (request(self).body !== undefined) return err();
      const body = createOutgoingBody(port);
      request(self).body = body;
      return ok(body);
    },
    '[method]outgoing-request.method': (self) => request(self).method,
    '[method]outgoing-request.set-method': (self, method) => {
      const { tag, val } = method as Tagged;
      if (tag === 'other' && !TOKEN.test(val ?? '')) return err();
      request(self).method = method as Tagged;
      return ok();
    },
    '[method]outgoing-request.path-with-query': (self) => request(self).path,
    '[method]outgoing-request.set-path-with-query': (self, path) => {
      if (path !== undefined && !PATH.test(path as string)) return err();
      request(self).path = path as string | undefined;
      return ok();
    },
    '[method]outgoing-request.scheme': (self) => request(self).scheme,
    '[method]outgoing-request.set-scheme': (self, scheme) => {
      const other = (scheme as Tagged | undefined)?.val;
      if (other !== undefined && !/^[A-Za-z][A-Za-z0-9+.-]*$/.test(other)) return err();
      request(self).scheme = scheme as Tagged | undefined;
      return ok();
    },
    '[method]outgoing-request.authority': (self) => request(self).authority,
    '[method]outgoing-request.set-authority': (self, authority) => {
      if (authority !== undefined && !AUTHORITY.test(authority as string)) return err();
      request(self).authority = authority as string | undefined;
      return ok();
    },
    '[method]outgoing-request.headers': (self) => frozenFields(request(self).headers.rows),
    '[method]outgoing-body.write': (self) => {
      const body = self as OutgoingBody;
      if (body.stream !== undefined) return err();
      body.stream = bodyStream(port, body);
      return ok(body.stream);
    },
    '[static]outgoing-body.finish': suspending((self, trailers) =>
      finish(port, self as OutgoingBody, trailers as Fields | undefined),
    ),
    ...optionsMethods(),
  };
}

function createOutgoingBody(port: Port): OutgoingBody {
  const exchange = Promise.withResolvers<number>();
  exchange.promise.catch(() => {});
  const body: OutgoingBody = {
    stream: undefined,
    exchange,
    handedOver: false,
    written: 0,
    finished: false,
    close() {
      if (body.finished) return;
      body.finished = true;
      // Never written to: simply no body. Left half-way: the server must not take it for whole.
      const end = async (): Promise<void> => {
        const id = await exchange.promise;
        if (body.written === 0) await port.request('http.finish', [id, null]);
        else port.post('drop', [id]);
      };
      void end().catch(() => {});
    },
  };
  return body;
}

function bodyStream(port: Port, body: OutgoingBody): OutputStream {
  return createOutputStream({
    async push(bytes) {
      body.written += bytes.byteLength;
      await port.request('http.write', [await body.exchange.promise, bytes]);
    },
  });
}

function finish(port: Port, body: OutgoingBody, trailers: Fields | undefined): Value | Promise<Value> {
  body.finished = true;
  const work = async (): Promise<Value> => {
    try {
      const id = await body.exchange.promise;
      await body.stream?.flushed();
      body.stream?.budget();
      await port.request('http.finish', [id, trailers?.rows ?? null]);
      return ok();
    } catch (error) {
      if (error instanceof HostFailure) return err(httpError(error));
      throw error;
    }
  };
  const done = work();
  // Before the request is handed over nobody can know how the body fares; the response will tell.
  return body.handedOver ? done : ok();
}

function optionsMethods(): Readonly<Record<string, HostFunc>> {
  const timeout = (name: string, key: keyof RequestOptions): Readonly<Record<string, HostFunc>> => ({
    [`[method]request-options.${name}`]: (self) => (self as RequestOptions)[key],
    [`[method]request-options.set-${name}`]: (self, duration) => {
      (self as RequestOptions)[key] = duration as bigint | undefined;
      return ok();
    },
  });
  return {
    '[constructor]request-options': () =>
      ({ connect: undefined, firstByte: undefined, betweenBytes: undefined }) satisfies RequestOptions,
    ...timeout('connect-timeout', 'connect'),
    ...timeout('first-byte-timeout', 'firstByte'),
    ...timeout('between-bytes-timeout', 'betweenBytes'),
  };
}
