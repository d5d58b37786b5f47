// One client as the protocol sees it: what was negotiated, what is in flight, what was asked of it. Transports hand in
// messages with the route their answers take; everything about revisions is asked of the Revision.
// Invariant: a request gets exactly one response or, if cancelled, none; a notification never gets any.

import type { Caller } from '../core/caller.ts';
import { WitboxError } from '../core/errors.ts';
import { type JsonObject, own } from '../core/json.ts';
import type { Logger } from '../core/log.ts';
import type { ClientView } from '../server/canonical.ts';
import { RawResult, type Result, type SessionState } from '../server/dialect.ts';
import type { McpServer } from '../server/server.ts';
import type { Admission } from './admission.ts';
import type {
  BatchMessage,
  Incoming,
  NotificationMessage,
  RequestMessage,
  SingleMessage,
} from './envelope.ts';
import { errorText, notificationText, resultText } from './envelope.ts';
import { toWire } from './errors.ts';
import { createInFlight, type Flight, type InFlight } from './in-flight.ts';
import type { Introductions } from './introductions.ts';
import { discover, initialize } from './opening.ts';
import { createOutbound, type Outbound } from './outbound.ts';
import { createRequest, type RequestParts } from './request.ts';
import { clientOf, isPerRequest, resolveRevision } from './resolve.ts';
import type { Revision } from './revision.ts';
import type { Revisions } from './revisions.ts';
import { batchRoutes, type Route } from './route.ts';

export interface ProtocolDeps {
  readonly server: McpServer;
  readonly revisions: Revisions;
  readonly log: Logger;
  readonly askTimeoutMs: number;
  readonly introductions: Introductions;
  readonly admission: Admission;
}

export interface ConnectionOptions {
  readonly transport: string;
  readonly caller: Caller;
  /** A name for the session, where the transport gives one. */
  readonly session?: string;
  /** For what belongs to no request: notices of changes. */
  readonly send?: (text: string) => void;
  /** What a client speaks that never says so. */
  readonly assumed: Revision;
}

export interface Connection {
  readonly caller: Caller;
  /** What initialize agreed on, or null before it and for clients that need none. */
  readonly revision: Revision | null;
  readonly inFlight: number;
  /** `caller`: the same one, with what this very message proves about it, where each message brings its own proof. */
  receive(message: Incoming, route: Route, caller?: Caller): void;
  /** The client is gone or gave up: what is in flight is cancelled, nothing more is sent. */
  close(reason: string): void;
  /** Waits for what is in flight. */
  drained(): Promise<void>;
  /** The server stops: what is in flight is told so, and its work is aborted. */
  stop(): void;
}

export function createConnection(deps: ProtocolDeps, options: ConnectionOptions): Connection {
  return new ClientConnection(deps, options);
}

class ClientConnection implements Connection {
  readonly caller: Caller;
  revision: Revision | null = null;
  /** As the last message proved it: rights may have become fewer since the first. */
  #lastCaller: Caller;
  readonly #deps: ProtocolDeps;
  readonly #options: ConnectionOptions;
  readonly #flights: InFlight = createInFlight();
  #outbound: Outbound | null = null;
  readonly #session: SessionState;
  #client: ClientView;
  #unwatch: (() => void) | null = null;

  constructor(deps: ProtocolDeps, options: ConnectionOptions) {
    this.#deps = deps;
    this.#options = options;
    this.caller = options.caller;
    this.#lastCaller = options.caller;
    this.#session = { id: options.session ?? null, logLevel: null, subscriptions: new Set() };
    this.#client = { info: null, revision: options.assumed.revision, capabilities: {} };
  }

  get inFlight(): number {
    return this.#flights.size;
  }

  receive(message: Incoming, route: Route, caller = this.caller): void {
    this.#lastCaller = caller;
    if (message.kind === 'batch') this.#batch(message, route, caller);
    else this.#single(message, route, caller);
  }

  #batch(message: BatchMessage, route: Route, caller: Caller): void {
    if (!this.#spoken.batches) {
      const reason = `batches are not part of MCP ${this.#spoken.revision}: send one message at a time`;
      this.#fail(undefined, new WitboxError('invalid-request', { reason }), this.#spoken, route);
      return;
    }
    const routes = batchRoutes(route, message.messages.length);
    for (const [at, single] of message.messages.entries()) {
      if (single.kind === 'request' && single.method === 'initialize') {
        const error = new WitboxError('invalid-request', {
          reason: 'initialize must not be part of a batch',
        });
        this.#fail(single.id, error, this.#spoken, routes[at]!);
      } else this.#single(single, routes[at]!, caller);
    }
  }

  close(reason: string): void {
    this.#unwatch?.();
    this.#unwatch = null;
    this.#flights.cancelAll(new WitboxError('shutting-down'));
    this.#outbound?.close();
    if (this.#session.id !== null) this.#deps.server.endSession(this.#session.id);
    this.#deps.log.debug('connection closed', { transport: this.#options.transport, reason });
  }

  stop(): void {
    this.#flights.failAll(new WitboxError('shutting-down'));
    this.close('server stops');
  }

  drained(): Promise<void> {
    return this.#flights.drained();
  }

  get #spoken(): Revision {
    return this.revision ?? this.#options.assumed;
  }

  #single(message: SingleMessage, route: Route, caller: Caller): void {
    switch (message.kind) {
      case 'request':
        this.#request(message, route, caller);
        break;
      case 'notification':
        this.#notification(message);
        route.skip();
        break;
      case 'response':
        this.#outbound?.settle(message);
        route.skip();
        break;
      case 'invalid':
        this.#fail(message.id, message.error, this.#spoken, route);
        break;
    }
  }

  #request(message: RequestMessage, outer: Route, caller: Caller): void {
    const { admission } = this.#deps;
    const route = admission.counted(caller, outer);
    const revision = this.#admitted(message, route, caller);
    if (!revision) return;
    const tell = (started: Flight, error: unknown): void =>
      this.#settle(message, revision, started, route, undefined, error);
    const flight = this.#flights.start(message.id, this.#deps.server.standing.has(message.method), tell);
    const done = (result: Result): void => this.#settle(message, revision, flight, route, result);
    const failed = (error: unknown): void => flight.tell(error);
    try {
      const result = this.#perform(message, revision, flight, route, caller);
      if (result instanceof Promise) result.then(done, failed);
      else done(result);
    } catch (error) {
      failed(error);
    }
  }

  // The revision to serve the request in. Answers with the error itself if there is none, or the caller is not let in:
  // that is asked first, so that requests which nobody serves count too.
  #admitted(message: RequestMessage, route: Route, caller: Caller): Revision | null {
    const { revisions, admission } = this.#deps;
    let words = isPerRequest(revisions, message, this.#spoken) ? revisions.all[0]! : this.#spoken;
    try {
      admission.admit(caller, message);
      words = resolveRevision(revisions, message, this.#spoken);
      if (words.requests.has(message.method)) return words;
      throw new WitboxError('method-not-found', { method: message.method });
    } catch (error) {
      this.#fail(message.id, error, words, route);
      return null;
    }
  }

  #perform(
    message: RequestMessage,
    revision: Revision,
    flight: Flight,
    route: Route,
    caller: Caller,
  ): Result | Promise<Result> {
    const { server, revisions } = this.#deps;
    switch (message.method) {
      case 'initialize':
        return this.#initialize(message);
      case 'ping':
        return revision.seal('ping', {});
      case 'server/discover':
        this.#met(clientOf(message, revision), revision);
        return discover(server, revisions, revision);
    }
    const method = server.methods.get(message.method);
    if (!method) throw new WitboxError('method-not-found', { method: message.method });
    return method(createRequest(this.#parts(message, revision, flight, route, caller)));
  }

  #parts(
    message: RequestMessage,
    revision: Revision,
    flight: Flight,
    route: Route,
    caller: Caller,
  ): RequestParts {
    const shared = {
      caller,
      transport: this.#options.transport,
      session: this.#session,
      outbound: () => this.#asking,
    };
    if (revision.opening === 'handshake') {
      const client = { ...this.#client, revision: revision.revision };
      return { message, revision, flight, route, client, ...shared };
    }
    const client = clientOf(message, revision);
    this.#met(client, revision);
    const session = { id: null, logLevel: null, subscriptions: new Set<string>() };
    return { message, revision, flight, route, client, ...shared, session };
  }

  get #asking(): Outbound {
    this.#outbound ??= createOutbound(this.#deps.askTimeoutMs);
    return this.#outbound;
  }

  #initialize(message: RequestMessage): JsonObject {
    if (this.revision) {
      throw new WitboxError('invalid-request', { reason: 'this session is already initialized' });
    }
    const { server, revisions } = this.#deps;
    const { revision, client, result } = initialize(server, revisions, message.params);
    this.revision = revision;
    this.#client = client;
    this.#met(client, revision);
    return result;
  }

  #met(client: ClientView, revision: Revision): void {
    this.#deps.introductions.met(client, revision, this.#options.transport, this.caller);
  }

  #settle(
    message: RequestMessage,
    revision: Revision,
    flight: Flight,
    route: Route,
    result: Result | undefined,
    error?: unknown,
  ): void {
    const { over } = flight;
    // What was told already, when the server stopped, has had its end.
    if (!this.#flights.end(message.id, flight)) return;
    if (over) route.skip();
    else if (result === undefined) this.#fail(message.id, error, revision, route);
    else this.#answer(message.id, result, revision, route);
  }

  // What a catalogue gave may not be JSON at all: that is its fault, not the client's.
  #answer(id: RequestMessage['id'], result: Result, revision: Revision, route: Route): void {
    let json: string;
    try {
      json = result instanceof RawResult ? result.json : JSON.stringify(result);
    } catch (error) {
      this.#fail(id, error, revision, route);
      return;
    }
    route.end(resultText(id, json), 200);
  }

  #fail(id: RequestMessage['id'] | undefined, error: unknown, revision: Revision, route: Route): void {
    const wire = toWire(error, this.#deps.log);
    const hasStatus = id === undefined || revision.http.errorStatus || wire.headers !== undefined;
    const text = errorText(id, { ...wire, code: revision.errorCode(wire.code) }, revision.noId);
    route.end(text, hasStatus ? wire.http : 200, wire.headers);
  }

  #notification({ method, params }: NotificationMessage): void {
    this.#deps.log.trace('notification', { method });
    if (method === 'notifications/initialized') this.#initialized();
    else if (method === 'notifications/cancelled') this.#cancelled(params);
  }

  #cancelled(params: JsonObject): void {
    const id = own(params, 'requestId');
    if (typeof id !== 'string' && typeof id !== 'number') return;
    this.#deps.log.debug('cancelled', { id, reason: own(params, 'reason') });
    this.#flights.cancel(id, new Error('Cancelled by the client'));
  }

  #initialized(): void {
    const { send } = this.#options;
    if (!send || !this.revision || this.#unwatch) return;
    const { changes } = this.#deps.server;
    this.#unwatch = changes.watch(({ method, change }) => {
      if (change.kind === 'resource' && !this.#session.subscriptions.has(change.uri)) return;
      if (!changes.sees(this.#lastCaller, change)) return;
      send(notificationText(method, change.kind === 'resource' ? { uri: change.uri } : undefined));
    });
  }
}
