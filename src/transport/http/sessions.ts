// Sessions of Streamable HTTP: an unguessable id, the connection behind it, and its event streams. A session belongs
// to the caller who opened it; to everybody else it does not exist. Idle ones end, and there is a most of them.

import { randomBytes } from 'node:crypto';
import type { Caller } from '../../core/caller.ts';
import { WitboxError } from '../../core/errors.ts';
import type { Connection } from '../../protocol/connection.ts';
import type { Protocol } from '../../protocol/protocol.ts';
import type { Door } from '../door.ts';
import { TOGETHER, type TransportLimits } from '../limits.ts';
import { createEventStream, type EventStream, type ReplayBudget } from './event-stream.ts';

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
  /** Throws `session-not-found`. The session lives on by the proof that this caller brings. */
  find(id: string, caller: Caller): HttpSession;
  end(session: HttpSession): void;
  readonly all: Iterable<HttpSession>;
  readonly size: number;
  sizeOf(callerId: string): number;
  /** Ends the session that this caller has not used for longest, if there is one that nothing goes on in. */
  makeRoom(callerId: string): boolean;
  /** Ends what is idle, and what belongs to callers who are no longer let in. */
  sweep(): void;
}

interface Entry {
  readonly session: HttpSession;
  /** As the last request proved it. */
  caller: Caller;
  usedAt: number;
}

const MAX_KEPT_STREAMS = 32;
const EVENT_ID = /^(\d{1,9})-(\d{1,9})$/;

/** A client that lost its stream because its proof ran out may come back with a new one at once. */
const RETRY_MS = 500;

export function createSessions(protocol: Protocol, limits: TransportLimits, door: Door): Sessions {
  const sessions = new Map<string, Entry>();
  const replay: ReplayBudget = { used: 0, most: limits.maxReplayBytes * TOGETHER };
  const end = (session: HttpSession, reason: string): void => {
    sessions.delete(session.id);
    session.close(reason);
  };
  const ownedBy = (callerId: string): Entry[] =>
    [...sessions.values()].filter(({ caller }) => caller.id === callerId);

  /** A new token of the same caller lets the session go on; a key that was revoked never comes back. */
  const withoutProof = ({ session, caller }: Entry): void => {
    if (caller.expiresAt === null || caller.expiresAt > Date.now()) end(session, 'no longer let in');
    else for (const stream of session.streams) stream.release(RETRY_MS);
  };

  return {
    prepare(caller) {
      door.enter(caller);
      return createSession(protocol, caller, limits, replay);
    },
    keep(session) {
      sessions.set(session.id, { session, caller: session.connection.caller, usedAt: Date.now() });
    },
    find(id, caller) {
      const entry = sessions.get(id);
      if (entry?.caller.id !== caller.id) throw new WitboxError('session-not-found');
      entry.usedAt = Date.now();
      entry.caller = caller;
      return entry.session;
    },
    end(session) {
      end(session, 'session ended');
    },
    get all() {
      return [...sessions.values()].map(({ session }) => session);
    },
    get size() {
      return sessions.size;
    },
    sizeOf: (callerId) => ownedBy(callerId).length,
    makeRoom(callerId) {
      const idle = ownedBy(callerId).filter(({ session }) => !isBusy(session));
      const oldest = idle.sort((a, b) => a.usedAt - b.usedAt)[0];
      if (oldest) end(oldest.session, 'its caller opened others');
      return oldest !== undefined;
    },
    sweep() {
      const oldest = Date.now() - limits.sessionIdleMs;
      for (const entry of sessions.values()) {
        if (!door.holds(entry.caller)) withoutProof(entry);
        else if (entry.usedAt <= oldest && entry.session.connection.inFlight === 0)
          end(entry.session, 'idle');
      }
    },
  };
}

function isBusy({ connection, streams }: HttpSession): boolean {
  return connection.inFlight > 0 || [...streams].some(({ attached }) => attached);
}

function createSession(
  protocol: Protocol,
  caller: Caller,
  limits: TransportLimits,
  replay: ReplayBudget,
): HttpSession {
  const id = randomBytes(24).toString('base64url');
  const streams = new Map<number, EventStream>();
  let nextStream = 1;
  const primes = (): boolean => connection.revision?.http.primesStreams ?? false;
  const standalone = createEventStream({ name: '0', primes, limits, replay });
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
      const stream = createEventStream({ name: `${number}`, primes, limits, replay });
      streams.set(number, stream);
      for (const [old, kept] of streams) {
        if (streams.size <= MAX_KEPT_STREAMS) break;
        if (!kept.ended) continue;
        kept.close();
        streams.delete(old);
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
