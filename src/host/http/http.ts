// The HTTP operations of one call. A cell chooses the number of an exchange, starts it without waiting for an answer and
// learns how it went when it asks for the response: a GET costs one round trip.

import { HostFailure, type WireValue } from '../../core/port.ts';
import type { Handles } from '../handles.ts';
import type { HostLimits } from '../limits.ts';
import type { Endpoints } from '../net/endpoint.ts';
import type { Operations } from '../operations.ts';
import { bytes, integer, list } from '../wire-args.ts';
import type { Agents } from './agents.ts';
import { createExchange, type Exchange, type Timeouts } from './exchange.ts';
import type { Inject } from './inject.ts';
import { readHead, readHeaders } from './message.ts';

const CODES = {
  invalid: 'HTTP-request-URI-invalid',
  denied: 'HTTP-request-denied',
  prohibited: 'destination-IP-prohibited',
} as const;

export function createHttp(
  endpoints: Endpoints,
  agents: Agents,
  inject: Inject,
  handles: Handles,
  limits: HostLimits,
): Operations {
  const exchange = (args: readonly WireValue[]): Exchange =>
    handles.get<Exchange>('exchange', integer(args, 0));
  return {
    /** [id, [method, scheme, authority, path, headers], [connect, first byte, between bytes] in ms or null] */
    'http.start': (args) => {
      const id = integer(args, 0);
      if (handles.count('exchange') >= limits.connections) throw new HostFailure('connection-limit-reached');
      const head = readHead(list(args, 1, 5), limits);
      const endpoint = endpoints.check(head.scheme, head.host, head.port, CODES);
      endpoint.catch(() => {});
      handles.put(id, createExchange({ agents, limits, endpoint, inject }, head, readTimeouts(args, limits)));
      return null;
    },
    'http.write': async (args) => {
      await exchange(args).write(bytes(args, 1, limits.chunkBytes));
      return null;
    },
    'http.finish': async (args) => {
      const trailers =
        args[1] == null ? null : readHeaders(args, 1, limits, 'HTTP-request-trailer-section-size');
      await exchange(args).finish(trailers);
      return null;
    },
    'http.response': (args) => exchange(args).response(),
    'http.read': (args) => exchange(args).read(Math.min(integer(args, 1), limits.chunkBytes)),
    'http.trailers': (args) => exchange(args).trailers(),
  };
}

function readTimeouts(args: readonly WireValue[], limits: HostLimits): Timeouts {
  const given = list(args, 2, 3);
  const within = (at: number, most: number): number =>
    given[at] == null ? most : Math.max(1, Math.min(integer(given, at, Number.MAX_SAFE_INTEGER), most));
  return {
    connectMs: within(0, limits.connectMs),
    firstByteMs: within(1, limits.firstByteMs),
    betweenBytesMs: within(2, limits.betweenBytesMs),
  };
}
