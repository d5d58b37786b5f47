// Streamable HTTP around the server that is made for being broken. Streams of 2025 can be resumed; those of 2026 cannot.

import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { type GuardFault, METADATA, subjectOf } from '../guard.ts';
import { type Connection, connect, createReceiver, type Fault, type Json, type Outgoing } from '../server.ts';
import { createEventStore, type EventStore } from './event-store.ts';
import { headerFault } from './header-rules.ts';
import { type Listening, listening } from './listening.ts';

interface Session {
  readonly connection: Connection;
  readonly owner: string | undefined;
  readonly events: EventStore;
}

const CALLS_PER_SECOND = 120;

export async function serveHttp(fault: Fault): Promise<Listening> {
  const receive = createReceiver(fault);
  const how = fault.http ?? {};
  const sessions = new Map<string, Session>();
  const listeners = new Set<ServerResponse>();
  let made = 0;
  let calls: number[] = [];

  const server = createServer((request, response) => {
    void answer(request, response).catch(() => response.destroy());
  });
  const opened = await listening(server, 'http', '/mcp');
  const { host } = opened.url;

  function plain(response: ServerResponse, status: number, body = ''): void {
    response.writeHead(status, { 'content-type': 'text/plain' }).end(body);
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { headers } = request;
    if (!isHere(headers.origin) && !how.anyOrigin) return void plain(response, 403);
    if (headers.host !== host && !how.anyHost) return void plain(response, 403);
    if (how.guard !== undefined && !isAllowed(request, response, how.guard)) return;
    if (request.method === 'GET') return void listen(request, response);
    if (request.method === 'DELETE') return void end(request, response);
    if (request.method !== 'POST') return void plain(response, 405);
    if (how.unauthorized !== undefined && headers.authorization !== undefined) {
      response.writeHead(401, how.unauthorized === '' ? {} : { 'www-authenticate': how.unauthorized }).end();
      return;
    }
    if (!how.anyMediaType && !/json/.test(headers['content-type'] ?? '')) return void plain(response, 415);
    if (!how.anyMediaType && !/json|event-stream|\*\/\*/.test(headers.accept ?? ''))
      return void plain(response, 406);
    if (Number(headers['content-length']) > 8 << 20 && !how.endlessBody) {
      response.writeHead(413, { connection: 'close' }).end();
      return;
    }
    const text = await bodyOf(request);
    const message = peek(text);
    if (isOverLimit(message)) return void plain(response, 429);
    const wrong = headerFault(headers, message, how);
    if (wrong !== null) {
      response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify(wrong));
      return;
    }
    const session = sessionFor(request, message);
    if (typeof session === 'number') return void plain(response, session);
    await reply(response, receive(text, session.connection), session, message);
  }

  const callerOf = ({ headers }: IncomingMessage): string | undefined =>
    how.guard === undefined
      ? headers.authorization
      : (subjectOf(headers.authorization, how.guard) ?? undefined);

  /** Answers itself if not, as RFC 9728 has it. */
  function isAllowed(
    { headers, url }: IncomingMessage,
    response: ServerResponse,
    guard: GuardFault,
  ): boolean {
    if (url?.startsWith('/.well-known/oauth-protected-resource')) {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(METADATA));
      return false;
    }
    if (subjectOf(headers.authorization, guard) !== null) return true;
    const place = new URL('/.well-known/oauth-protected-resource', opened.url);
    response.writeHead(401, { 'www-authenticate': `Bearer resource_metadata="${place}"` }).end();
    return false;
  }

  function isStolen(request: IncomingMessage): boolean {
    const session = sessions.get(String(request.headers['mcp-session-id']));
    return session !== undefined && session.owner !== callerOf(request) && !how.anyPrincipal;
  }

  function isOverLimit({ method }: Json): boolean {
    if (method !== 'tools/call' || how.noRateLimit) return false;
    const now = Date.now();
    calls = [...calls.filter((at) => now - at < 1_000), now];
    return calls.length > CALLS_PER_SECOND;
  }

  function sessionFor(
    request: IncomingMessage,
    message: Json,
  ): (Session & { readonly fresh?: string }) | number {
    const owner = callerOf(request);
    const version = String(request.headers['mcp-protocol-version'] ?? '2025-03-26');
    const none = () => ({ connection: connect(version, owner), owner, events: createEventStore(how) });
    if (message.method === 'initialize') {
      const id = how.sessionId?.(++made) ?? randomUUID();
      const session = none();
      sessions.set(id, session);
      return { ...session, fresh: id };
    }
    const id = request.headers['mcp-session-id'];
    if (isModern(message)) return none();
    if (typeof id !== 'string') return how.missingSessionStatus ?? 400;
    const session = sessions.get(id);
    if (session === undefined) return 404;
    return session.owner === owner || how.anyPrincipal ? session : 404;
  }

  async function reply(
    response: ServerResponse,
    outgoing: Outgoing,
    session: Session & { readonly fresh?: string },
    message: Json,
  ): Promise<void> {
    const { answer: body, before, status, after } = outgoing;
    const modern = isModern(message);
    const id = session.fresh ?? (how.alwaysSession && modern ? 'a-session-that-nobody-asked-for' : undefined);
    const headers: Record<string, string> = id === undefined ? {} : { 'mcp-session-id': id };
    if (body === undefined && before.length === 0) {
      response.writeHead(how.notificationStatus ?? 202, headers).end();
      return;
    }
    if (after !== undefined) await delay(after);
    if (session.connection.cancelled.has(outgoing.id)) {
      response.writeHead(200, { ...headers, 'content-type': 'text/event-stream' }).end();
      return;
    }
    if (how.broadcast) for (const other of listeners) other.write(`data: ${JSON.stringify(body)}\n\n`);
    if (modern && (message.method === 'tools/call' || outgoing.staysOpen)) {
      const hint = how.streamWithoutHint ? {} : { 'x-accel-buffering': 'no' };
      response.writeHead(200, { ...headers, ...hint, 'content-type': 'text/event-stream' });
      for (const one of [...before, body]) if (one !== undefined) response.write(event(one));
      if (!outgoing.staysOpen && !how.streamStaysOpen) response.end();
      return;
    }
    if (message.method === 'tools/call') return resumable(response, headers, outgoing, session);
    const code = modern
      ? status === 404
        ? (how.removedStatus ?? 404)
        : status
      : status === 404
        ? 200
        : status;
    response
      .writeHead(code, { ...headers, 'content-type': how.contentType ?? 'application/json' })
      .end(JSON.stringify(body));
  }

  /** First an event without data, so that whoever loses the connection then can ask for the rest. */
  async function resumable(
    response: ServerResponse,
    headers: Record<string, string>,
    { before, answer: body }: Outgoing,
    { events }: Session,
  ): Promise<void> {
    const stream = events.open();
    response.writeHead(200, { ...headers, 'content-type': 'text/event-stream' });
    response.write(`id: ${stream.add('').id}\ndata: \n\n`);
    await delay(20);
    if (how.disconnectCancels && response.destroyed) return stream.end();
    for (const one of [...before, body]) {
      const { id, data } = stream.add(JSON.stringify(one));
      response.write(`id: ${id}\ndata: ${data}\n\n`);
    }
    stream.end();
    if (!how.streamStaysOpen) response.end();
  }

  function listen(request: IncomingMessage, response: ServerResponse): void {
    if (isStolen(request)) return void plain(response, 404);
    if (how.getStatus !== undefined) return void plain(response, how.getStatus);
    const last = request.headers['last-event-id'];
    const session = sessions.get(String(request.headers['mcp-session-id']));
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    if (typeof last === 'string' && session !== undefined) {
      session.events.follow(
        last,
        ({ id, data }) => response.write(`id: ${id}\ndata: ${data}\n\n`),
        () => response.end(),
      );
      return;
    }
    response.write(': listening\n\n');
    listeners.add(response);
    response.on('close', () => listeners.delete(response));
  }

  function end(request: IncomingMessage, response: ServerResponse): void {
    if (isStolen(request)) return void plain(response, 404);
    if (!how.forgetNothing) sessions.delete(String(request.headers['mcp-session-id']));
    plain(response, 204);
  }

  return opened;
}

function isHere(origin: string | undefined): boolean {
  return origin === undefined || /^http:\/\/(localhost|127\.0\.0\.1)(:\d+)?$/.test(origin);
}

function isModern({ params }: Json): boolean {
  const meta = (params as Json | undefined)?._meta as Json | undefined;
  return meta?.['io.modelcontextprotocol/protocolVersion'] !== undefined;
}

const event = (message: unknown): string => `data: ${JSON.stringify(message)}\n\n`;

function peek(text: string): Json {
  try {
    const message: unknown = JSON.parse(text);
    return typeof message === 'object' && message !== null && !Array.isArray(message)
      ? (message as Json)
      : {};
  } catch {
    return {};
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
