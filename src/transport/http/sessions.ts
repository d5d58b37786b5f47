// Sessions of Streamable HTTP: an unguessable id, the connection behind it, and its event streams. A session belongs
// to the caller who opened it; to everybody else it does not exist. Idle ones end, and there is a most of them.

import { randomBytes } from 'node:crypto';
import type { Caller } from '../../core/caller.ts';
import { WitboxError } from '../../core/errors.ts';
import type { Connection } from '../../protocol/connection.ts';
import type { Protocol } from '../../protocol/protocol.ts';
import type { TransportLimits } from '../limits.ts';
import { createEventStream, type EventStream } from './event-stream.ts';

export interface HttpSession {
  readonly id: string;
  readonly connection: Connection;
  /** For messages that belong to no request; opened by GET. */
  readonly standalone: EventStream;
  /** A stream for the answer to one POST, resumable by its event ids. */
  createStream(): EventStream;
  /** The stream and place that an event id stands for, if it is of this session and still known. */
  locate(eventId: string): { stream: EventStream; after: number } | null;
  readonly streams: Iterable<EventStream>;
  close(reason: string): void;
}

export interface Sessions {
  /** Not yet listed: only once its initialize was answered is it kept. */
  prepare(caller: Caller): HttpSession;
  keep(session: HttpSession): void;
  /** Throws `session-not-found`. */
  find(id: string, caller: Caller): HttpSession;
  end(session: HttpSession): void;
  readonly all: Iterable<HttpSession>;
  readonly size: number;
  sweep(): void;
}

const MAX_KEPT_STREAMS = 32;
const EVENT_ID = /^(\d{1,9})-(\d{1,9})$/;

export function createSessions(protocol: Protocol, limits: TransportLimits, taken: () => number): Sessions {
  const sessions = new Map<string, { session: HttpSession; usedAt: number }>();
  return {
    prepare(caller) {
      if (sessions.size + taken() >= limits.maxSessions) {
        throw new WitboxError('too-many-open', { what: 'sessions', limit: limits.maxSessions });
      }
      return createSession(protocol, caller, limits);
    },
    keep(session) {
      sessions.set(session.id, { session, usedAt: Date.now() });
    },
    find(id, caller) {
      const entry = sessions.get(id);
      if (entry?.session.connection.caller.id !== caller.id) throw new WitboxError('session-not-found');
      entry.usedAt = Date.now();
      return entry.session;
    },
    end(session) {
      sessions.delete(session.id);
      session.close('session ended');
    },
    get all() {
      return [...sessions.values()].map(({ session }) => session);
    },
    get size() {
      return sessions.size;
    },
    sweep() {
      const oldest = Date.now() - limits.sessionIdleMs;
      for (const [id, { session, usedAt }] of sessions) {
        if (usedAt > oldest || session.connection.inFlight > 0) continue;
        sessions.delete(id);
        session.close('idle');
      }
    },
  };
}

function createSession(protocol: Protocol, caller: Caller, limits: TransportLimits): HttpSession {
  const id = randomBytes(24).toString('base64url');
  const streams = new Map<number, EventStream>();
  let nextStream = 1;
  const primes = (): boolean => connection.revision?.http.primesStreams ?? false;
  const standalone = createEventStream({ name: '0', primes, limits });
  streams.set(0, standalone);
  const connection = protocol.connect({
    transport: 'http',
    caller,
    session: id,
    send: (text) => standalone.push(text),
  });
  return {
    id,
    connection,
    standalone,
    createStream() {
      const number = nextStream++;
      const stream = createEventStream({ name: `${number}`, primes, limits });
      streams.set(number, stream);
      for (const [old, kept] of streams) {
        if (streams.size <= MAX_KEPT_STREAMS) break;
        if (kept.ended) streams.delete(old);
      }
      return stream;
    },
    locate(eventId) {
      const [, number, after] = EVENT_ID.exec(eventId) ?? [];
      const stream = number === undefined ? undefined : streams.get(Number(number));
      return stream ? { stream, after: Number(after) } : null;
    },
    get streams() {
      return streams.values();
    },
    close(reason) {
      connection.close(reason);
      for (const stream of streams.values()) stream.close();
      streams.clear();
    },
  };
}
