// Streamable HTTP, all revisions on one endpoint: POST carries a message, GET opens or resumes a stream, DELETE ends a
// session. What differs between revisions is asked of their http rules.

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Caller } from '../../core/caller.ts';
import { WitboxError } from '../../core/errors.ts';
import { flowOf } from '../../core/flow.ts';
import type { Connection } from '../../protocol/connection.ts';
import type { Incoming } from '../../protocol/envelope.ts';
import type { Protocol } from '../../protocol/protocol.ts';
import { assumedOverHttp } from '../../protocol/resolve.ts';
import type { Revision } from '../../protocol/revision.ts';
import { decodeMessage } from '../decode.ts';
import type { Door } from '../door.ts';
import type { TransportLimits } from '../limits.ts';
import { accepts, prefersStream, requireJson } from './accept.ts';
import { readBody } from './body.ts';
import { createEventStream, type EventStream } from './event-stream.ts';
import { createExchange, type Exchange } from './exchange.ts';
import { replyEmpty, replyError } from './reply.ts';
import { createSessions, type HttpSession } from './sessions.ts';

export interface StreamableHttp {
  handle(request: IncomingMessage, response: ServerResponse, caller: Caller): Promise<void>;
  /** Sessions. */
  readonly size: number;
  sizeOf(callerId: string): number;
  makeRoom(callerId: string): boolean;
  /** Requests that wait for their answer. */
  readonly inFlight: number;
  /** Keeps streams alive, opens those of quiet requests, ends idle sessions. Called every few seconds. */
  tick(): void;
  /** Waits for what is in flight, at most `graceMs`, then ends everything. */
  close(graceMs: number): Promise<void>;
}

/** Of all open requests one caller may have at most this part, so that others always find room. */
const SHARE = 1 / 4;

export function createStreamableHttp(
  protocol: Protocol,
  limits: TransportLimits,
  door: Door,
): StreamableHttp {
  const sessions = createSessions(protocol, limits, door);
  const exchanges = new Set<Exchange>();
  const held = new Map<string, number>();
  const loose = new Set<EventStream>();
  const loners = new Set<Connection>();
  const { log } = protocol;
  let idle: (() => void) | null = null;

  /** Strangers whom nobody tells apart have only the limit of all together. */
  const mostOf = ({ kind, address }: Caller): number =>
    kind === 'anybody' && address === null ? limits.maxStreams : Math.ceil(limits.maxStreams * SHARE);

  const exchange = (
    request: IncomingMessage,
    response: ServerResponse,
    caller: Caller,
    message: Incoming,
    createStream: () => EventStream,
    headers?: () => Record<string, string>,
  ): Exchange => {
    if (exchanges.size >= limits.maxStreams) {
      throw new WitboxError('too-many-open', { what: 'requests', limit: limits.maxStreams });
    }
    const flow = flowOf(caller);
    const own = held.get(flow) ?? 0;
    if (own >= mostOf(caller)) {
      throw new WitboxError('too-many-open', { what: 'requests of one caller', limit: mostOf(caller) });
    }
    held.set(flow, own + 1);
    const expectsAnswer = answers(message);
    const onDone = (done: Exchange): void => {
      exchanges.delete(done);
      const left = (held.get(flow) ?? 1) - 1;
      if (left > 0) held.set(flow, left);
      else held.delete(flow);
      if (exchanges.size === 0) idle?.();
    };
    const created = createExchange({
      response,
      expectsAnswer,
      createStream,
      onDone,
      ...(headers && { headers }),
    });
    exchanges.add(created);
    if (expectsAnswer && prefersStream(request) && !isInitialize(message)) created.open();
    return created;
  };

  /** A message outside any session: of a revision without them, or of a client that does not bother. */
  const alone = (
    request: IncomingMessage,
    response: ServerResponse,
    caller: Caller,
    message: Incoming,
    revision: Revision,
  ): void => {
    if (message.kind === 'response') {
      throw new WitboxError('invalid-request', {
        reason: 'a response needs the session of the request it answers',
      });
    }
    if (message.kind === 'request') {
      revision.http.checkHeaders(request.headers, message, (name) => protocol.server.tool({ caller }, name));
    }
    const connection = protocol.connect({ transport: 'http', caller, assumed: revision });
    const createStream = (): EventStream => {
      const stream = createEventStream({ name: null, primes: () => false, limits });
      loose.add(stream);
      return stream;
    };
    if (revision.http.disconnectCancels) {
      response.on('close', () => {
        if (!response.writableFinished) connection.close('client went away');
      });
    }
    const route = exchange(request, response, caller, message, createStream);
    connection.receive(message, route);
    if (connection.inFlight === 0) return;
    loners.add(connection);
    // Nobody waits for those that listen: they are looked after until they have ended.
    void connection.drained().then(() => {
      if (connection.inFlight === 0) loners.delete(connection);
    });
  };

  const open = (
    request: IncomingMessage,
    response: ServerResponse,
    caller: Caller,
    message: Incoming,
  ): void => {
    const session = sessions.prepare(caller);
    const route = exchange(request, response, caller, message, session.createStream, () => {
      if (!session.connection.revision) return {} as Record<string, string>;
      sessions.keep(session);
      return { 'Mcp-Session-Id': session.id };
    });
    session.connection.receive(message, route);
  };

  const inSession = (
    request: IncomingMessage,
    response: ServerResponse,
    { connection, createStream }: HttpSession,
    caller: Caller,
    message: Incoming,
  ): void => {
    if (connection.inFlight >= limits.maxInFlight && answers(message)) {
      throw new WitboxError('too-many-open', { what: 'requests', limit: limits.maxInFlight });
    }
    connection.receive(message, exchange(request, response, caller, message, createStream), caller);
  };

  const post = async (request: IncomingMessage, response: ServerResponse, caller: Caller): Promise<void> => {
    requireJson(request);
    accepts(request, 'application/json', 'text/event-stream');
    const message = decodeMessage(await readBody(request, limits.maxMessageBytes));
    try {
      const revision = assumedOverHttp(protocol.revisions, header(request, 'mcp-protocol-version'), message);
      const session = revision.http.sessions ? sessionOf(request, caller) : null;
      if (session) inSession(request, response, session, caller, message);
      else if (revision.http.sessions && isInitialize(message)) open(request, response, caller, message);
      else alone(request, response, caller, message, revision);
    } catch (error) {
      replyError(response, error, log, message.kind === 'request' ? message.id : undefined);
    }
  };

  const sessionOf = (request: IncomingMessage, caller: Caller): HttpSession | null => {
    const id = header(request, 'mcp-session-id');
    return id === undefined ? null : sessions.find(id, caller);
  };

  /** GET and DELETE exist for sessions only; a revision without sessions has neither. */
  const needSession = (request: IncomingMessage, caller: Caller): HttpSession => {
    const version = header(request, 'mcp-protocol-version');
    const revision = version === undefined ? undefined : protocol.revisions.find(version);
    const session = revision?.http.sessions === false ? null : sessionOf(request, caller);
    if (!session) throw new WitboxError('http-method', { method: request.method ?? '', allowed: 'POST' });
    return session;
  };

  const get = (request: IncomingMessage, response: ServerResponse, caller: Caller): void => {
    const session = needSession(request, caller);
    accepts(request, 'text/event-stream');
    const last = header(request, 'last-event-id');
    if (last === undefined) {
      session.standalone.attach(response);
      return;
    }
    const place = session.locate(last);
    if (!place)
      throw new WitboxError('invalid-request', { reason: `no stream can be resumed from event "${last}"` });
    place.stream.attach(response, place.after);
  };

  return {
    async handle(request, response, caller) {
      switch (request.method) {
        case 'POST':
          await post(request, response, caller);
          break;
        case 'GET':
          get(request, response, caller);
          break;
        case 'DELETE':
          sessions.end(needSession(request, caller));
          replyEmpty(response, 200);
          break;
        default:
          response.setHeader('Allow', 'GET, POST, DELETE');
          throw new WitboxError('http-method', {
            method: request.method ?? '',
            allowed: 'GET, POST or DELETE',
          });
      }
    },
    get size() {
      return sessions.size;
    },
    sizeOf: sessions.sizeOf,
    makeRoom: sessions.makeRoom,
    get inFlight() {
      return exchanges.size;
    },
    tick() {
      const quiet = Date.now() - limits.quietMs;
      for (const one of exchanges) if (one.startedAt < quiet) one.open();
      for (const stream of loose) {
        if (stream.ended) loose.delete(stream);
        else stream.keepAlive();
      }
      for (const session of sessions.all) for (const stream of session.streams) stream.keepAlive();
      sessions.sweep();
      for (const one of loners) {
        if (one.inFlight === 0) loners.delete(one);
        else if (!door.holds(one.caller)) one.close('no longer let in');
      }
    },
    async close(graceMs) {
      const done = new Promise<void>((resolve) => {
        idle = resolve;
        if (exchanges.size === 0) resolve();
        else setTimeout(resolve, graceMs).unref();
      });
      await done;
      for (const connection of loners) connection.stop();
      for (const session of sessions.all) {
        session.connection.stop();
        sessions.end(session);
      }
      for (const stream of loose) stream.close();
    },
  };
}

function answers(message: Incoming): boolean {
  if (message.kind === 'batch') return message.messages.some(answers);
  return message.kind === 'request' || message.kind === 'invalid';
}

function isInitialize(message: Incoming): boolean {
  return message.kind === 'request' && message.method === 'initialize';
}

function header(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
}
