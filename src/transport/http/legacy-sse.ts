// The HTTP+SSE transport of 2024-11-05, kept for older clients: GET opens the stream, whose first event names the
// address that messages are posted to; all answers come on the stream. One stream, one connection.

import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Caller } from '../../core/caller.ts';
import { WitboxError } from '../../core/errors.ts';
import type { Connection } from '../../protocol/connection.ts';
import type { Protocol } from '../../protocol/protocol.ts';
import { pipeRoute } from '../../protocol/route.ts';
import { decodeMessage } from '../decode.ts';
import type { Door } from '../door.ts';
import type { TransportLimits } from '../limits.ts';
import { accepts, requireJson } from './accept.ts';
import { readBody } from './body.ts';
import { createEventStream, type EventStream } from './event-stream.ts';
import { replyEmpty } from './reply.ts';

export const SSE_PATH = '/sse';
export const SSE_MESSAGE_PATH = '/sse/message';

export interface LegacySse {
  readonly size: number;
  sizeOf(callerId: string): number;
  readonly inFlight: number;
  open(request: IncomingMessage, response: ServerResponse, caller: Caller): void;
  message(request: IncomingMessage, response: ServerResponse, caller: Caller): Promise<void>;
  tick(): void;
  close(graceMs: number): Promise<void>;
}

interface Client {
  readonly connection: Connection;
  readonly stream: EventStream;
  /** As the last request proved it. */
  caller: Caller;
}

export function createLegacySse(protocol: Protocol, limits: TransportLimits, door: Door): LegacySse {
  const clients = new Map<string, Client>();
  return {
    get size() {
      return clients.size;
    },
    sizeOf: (callerId) => [...clients.values()].filter(({ caller }) => caller.id === callerId).length,
    get inFlight() {
      return [...clients.values()].reduce((sum, { connection }) => sum + connection.inFlight, 0);
    },
    open(request, response, caller) {
      if (request.method !== 'GET') {
        throw new WitboxError('http-method', { method: request.method ?? '', allowed: 'GET' });
      }
      accepts(request, 'text/event-stream');
      door.enter(caller);
      const id = randomBytes(24).toString('base64url');
      const stream = createEventStream({
        name: null,
        primes: () => false,
        limits,
        greeting: `event: endpoint\ndata: ${SSE_MESSAGE_PATH}?session=${id}\n\n`,
        onLost() {
          clients.delete(id);
          connection.close('client went away');
        },
      });
      const connection = protocol.connect({ transport: 'sse', caller, session: id, send: stream.push });
      clients.set(id, { connection, stream, caller });
      stream.attach(response);
    },
    async message(request, response, caller) {
      if (request.method !== 'POST') {
        throw new WitboxError('http-method', { method: request.method ?? '', allowed: 'POST' });
      }
      const id = new URL(request.url ?? '/', 'http://localhost').searchParams.get('session') ?? '';
      const client = clients.get(id);
      if (client?.caller.id !== caller.id) throw new WitboxError('session-not-found');
      client.caller = caller;
      requireJson(request);
      const message = decodeMessage(await readBody(request, limits.maxMessageBytes));
      // A body may take long: the stream may have ended meanwhile, and others may have come first.
      if (clients.get(id) !== client) throw new WitboxError('session-not-found');
      if (client.connection.inFlight >= limits.maxInFlight) {
        throw new WitboxError('too-many-open', { what: 'requests', limit: limits.maxInFlight });
      }
      replyEmpty(response, 202);
      client.connection.receive(message, pipeRoute(client.stream.push), caller);
    },
    tick() {
      for (const [id, { stream, caller, connection }] of clients) {
        if (door.holds(caller)) stream.keepAlive();
        else {
          clients.delete(id);
          connection.close('no longer let in');
          stream.close();
        }
      }
    },
    async close(graceMs) {
      const busy = Promise.all([...clients.values()].map(({ connection }) => connection.drained()));
      await Promise.race([busy, new Promise((resolve) => setTimeout(resolve, graceMs).unref())]);
      for (const { connection, stream } of clients.values()) {
        connection.stop();
        stream.close();
      }
      clients.clear();
    },
  };
}
