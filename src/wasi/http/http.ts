// wasi:http/types and outgoing-handler. Handing over a request starts it without waiting for the broker's answer; the
// future tells how it went, a refusal included. The types of incoming requests exist, for worlds that name them, but
// nothing ever makes one: a guest here is not a server.

import type { WireValue } from '../../core/port.ts';
import { type HostInstance, hostResource } from '../../engine/engine.ts';
import type { Value } from '../../wit/value.ts';
import type { Call } from '../call.ts';
import { errorResource, type IoError } from '../io/error.ts';
import { inputStreamResource } from '../io/input-stream.ts';
import { outputStreamResource } from '../io/output-stream.ts';
import { pollableResource } from '../io/pollable.ts';
import { err, ok } from '../result.ts';
import { httpError, isHttpError } from './errors.ts';
import { fieldsMethods, fieldsResource } from './fields.ts';
import {
  createExchange,
  futureResponse,
  futureResponseResource,
  futureTrailersResource,
  incomingBodyResource,
  incomingMethods,
  incomingResponseResource,
} from './incoming.ts';
import {
  type OutgoingRequest,
  outgoingBodyResource,
  outgoingMethods,
  outgoingRequestResource,
  type RequestOptions,
  requestOptionsResource,
} from './outgoing.ts';

const incomingRequestResource = hostResource({ name: 'incoming-request' });
const outgoingResponseResource = hostResource({ name: 'outgoing-response' });
const responseOutparamResource = hostResource({ name: 'response-outparam' });

export function createHttpTypes(call: Call): HostInstance {
  return {
    fields: fieldsResource,
    headers: fieldsResource,
    trailers: fieldsResource,
    'incoming-request': incomingRequestResource,
    'outgoing-request': outgoingRequestResource,
    'request-options': requestOptionsResource,
    'response-outparam': responseOutparamResource,
    'incoming-response': incomingResponseResource,
    'incoming-body': incomingBodyResource,
    'future-trailers': futureTrailersResource,
    'outgoing-response': outgoingResponseResource,
    'outgoing-body': outgoingBodyResource,
    'future-incoming-response': futureResponseResource,
    'input-stream': inputStreamResource,
    'output-stream': outputStreamResource,
    'io-error': errorResource,
    error: errorResource,
    pollable: pollableResource,
    'http-error-code': (error) => {
      const { failure } = error as IoError;
      return isHttpError(failure) ? httpError(failure) : undefined;
    },
    ...fieldsMethods(),
    ...outgoingMethods(call.port),
    ...incomingMethods(call),
    ...serverMethods(),
  };
}

const SERVER_METHODS = [
  '[method]incoming-request.method',
  '[method]incoming-request.path-with-query',
  '[method]incoming-request.scheme',
  '[method]incoming-request.authority',
  '[method]incoming-request.headers',
  '[method]incoming-request.consume',
  '[static]response-outparam.set',
  '[method]response-outparam.send-informational',
  '[constructor]outgoing-response',
  '[method]outgoing-response.status-code',
  '[method]outgoing-response.set-status-code',
  '[method]outgoing-response.headers',
  '[method]outgoing-response.body',
] as const;

function serverMethods(): HostInstance {
  const refuse = (): never => {
    throw new Error('a tool does not answer HTTP requests');
  };
  return Object.fromEntries(SERVER_METHODS.map((name) => [name, refuse]));
}

export function createOutgoingHandler(call: Call): HostInstance {
  return {
    'outgoing-request': outgoingRequestResource,
    'request-options': requestOptionsResource,
    'future-incoming-response': futureResponseResource,
    handle: (given, options) => {
      const request = given as OutgoingRequest;
      const scheme = request.scheme?.tag ?? 'HTTPS';
      if (scheme === 'other') return err({ tag: 'HTTP-protocol-error' });
      if (request.authority === undefined) return err({ tag: 'HTTP-request-URI-invalid' });
      const exchange = createExchange(call);
      const head: WireValue = [
        methodOf(request),
        scheme.toLowerCase(),
        request.authority,
        request.path ?? '/',
        request.headers.rows,
      ];
      const started = call.port.request('http.start', [exchange.id, head, timeoutsOf(options)]);
      started.catch(() => {});
      if (request.body === undefined) {
        void call.port.request('http.finish', [exchange.id, null]).catch(() => {});
      } else {
        request.body.handedOver = true;
        request.body.exchange.resolve(started.then(() => exchange.id));
      }
      return ok(futureResponse(call, exchange, started));
    },
  };
}

function methodOf({ method: { tag, val } }: OutgoingRequest): string {
  return tag === 'other' ? (val ?? '') : tag.toUpperCase();
}

/** Milliseconds, rounded up; null where the broker's own limit is to hold. */
function timeoutsOf(given: Value): WireValue {
  const options = given as RequestOptions | undefined;
  const ms = (duration: bigint | undefined): number | null =>
    duration === undefined ? null : Number((duration + 999_999n) / 1_000_000n);
  return [ms(options?.connect), ms(options?.firstByte), ms(options?.betweenBytes)];
}
