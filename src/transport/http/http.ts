// The one port that all network transports share: checks every request at the door, then hands it to the transport
// whose path it has. Errors become JSON-RPC errors with the status of the table.

import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { ANYBODY, type Caller } from '../../core/caller.ts';
import { WitboxError } from '../../core/errors.ts';
import { toWire } from '../../protocol/errors.ts';
import type { Protocol } from '../../protocol/protocol.ts';
import { DEFAULT_LIMITS, type TransportLimits } from '../limits.ts';
import { createWebSockets, type WebSockets } from '../websocket/websocket.ts';
import { createGuard, type GuardOptions } from './guard.ts';
import { createLegacySse, type LegacySse, SSE_MESSAGE_PATH, SSE_PATH } from './legacy-sse.ts';
import { type Page, replyPage } from './page.ts';
import { replyError, replyJson } from './reply.ts';
import { createStreamableHttp } from './streamable.ts';

export interface HttpOptions extends GuardOptions {
  readonly host?: string;
  /** 0 takes any free port. */
  readonly port?: number;
  readonly transports?: readonly NetworkTransport[];
  readonly limits?: Partial<TransportLimits>;
  /** Says who is calling, or throws; everybody is the same caller without it. */
  readonly identify?: (request: IncomingMessage) => Caller | Promise<Caller>;
  /** Pages for those who watch, by path; answered while the server stops, too. */
  readonly pages?: ReadonlyMap<string, Page>;
}

export type NetworkTransport = 'http' | 'sse' | 'websocket';

export interface HttpTransport {
  readonly host: string;
  readonly port: number;
  state(): TransportState;
  close(): Promise<void>;
}

export interface TransportState {
  readonly connections: number;
  readonly sessions: Readonly<Record<NetworkTransport, number>>;
  readonly inFlight: Readonly<Record<NetworkTransport, number>>;
}

const WEBSOCKET_PATH = '/ws';

export async function serveHttp(protocol: Protocol, options: HttpOptions = {}): Promise<HttpTransport> {
  const limits: TransportLimits = { ...DEFAULT_LIMITS, ...options.limits };
  const guard = createGuard(options);
  const identify = options.identify ?? (() => ANYBODY);
  const enabled = new Set<NetworkTransport>(options.transports ?? ['http', 'sse', 'websocket']);
  const { log } = protocol;
  let closing = false;

  const streamable = createStreamableHttp(protocol, limits, () => sse.size + sockets.size);
  const sse: LegacySse = createLegacySse(protocol, limits, () => streamable.sessions + sockets.size);
  const sockets: WebSockets = createWebSockets(protocol, limits, () => streamable.sessions + sse.size);
  const transports = [streamable, sse, sockets];

  const route = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    guard.check(request);
    guard.allow(request, response);
    if (request.method === 'OPTIONS') {
      guard.preflight(request, response);
      return;
    }
    const path = pathOf(request);
    if (path === '/health') {
      replyJson(response, closing ? 503 : 200, JSON.stringify({ status: closing ? 'stopping' : 'ok' }));
      return;
    }
    const page = options.pages?.get(path);
    if (page !== undefined) {
      await replyPage(request, response, () => identify(request), page);
      return;
    }
    if (closing) throw new WitboxError('shutting-down');
    const caller = await identify(request);
    if (enabled.has('http') && (path === '/mcp' || path === '/mcp/rpc'))
      await streamable.handle(request, response, caller);
    else if (enabled.has('sse') && path === SSE_PATH) sse.open(request, response, caller);
    else if (enabled.has('sse') && path === SSE_MESSAGE_PATH) await sse.message(request, response, caller);
    else if (enabled.has('websocket') && path === WEBSOCKET_PATH) {
      throw new WitboxError('invalid-request', { reason: 'this address is for WebSockets' });
    } else throw new WitboxError('http-not-found', { path });
  };

  const upgrade = async (request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> => {
    guard.check(request);
    const path = pathOf(request);
    if (closing) throw new WitboxError('shutting-down');
    if (!enabled.has('websocket') || path !== WEBSOCKET_PATH)
      throw new WitboxError('http-not-found', { path });
    sockets.accept(request, socket, head, await identify(request));
  };

  const server = createServer(
    { requestTimeout: limits.requestMs, connectionsCheckingInterval: Math.min(2_000, limits.requestMs) },
    (request, response) => {
      route(request, response).catch((error: unknown) => replyError(response, error, log));
    },
  );
  server.keepAliveTimeout = 60_000;
  server.maxConnections = limits.maxConnections;
  let connections = 0;
  server.on('connection', (socket) => {
    connections += 1;
    socket.on('close', () => {
      connections -= 1;
    });
  });
  server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => socket.destroy());
    upgrade(request, socket, head).catch((error: unknown) => {
      const { http, headers = {} } = toWire(error, log);
      const lines = Object.entries({ ...headers, Connection: 'close', 'Content-Length': '0' });
      const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
      socket.end(`HTTP/1.1 ${http} ${STATUS_CODES[http]}\r\n${head}\r\n`);
    });
  });
  const tick = setInterval(() => {
    for (const transport of transports) transport.tick();
  }, limits.keepAliveMs);
  tick.unref();

  await listen(server, options.port ?? 0, options.host ?? '127.0.0.1');
  const { address, port } = server.address() as AddressInfo;
  return {
    host: address,
    port,
    state: () => ({
      connections,
      sessions: { http: streamable.sessions, sse: sse.size, websocket: sockets.size },
      inFlight: { http: streamable.inFlight, sse: sse.inFlight, websocket: sockets.inFlight },
    }),
    async close() {
      closing = true;
      clearInterval(tick);
      const closed = new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
      await Promise.all(transports.map((transport) => transport.close(limits.graceMs)));
      server.closeIdleConnections();
      setTimeout(() => server.closeAllConnections(), 1_000).unref();
      await closed;
    },
  };
}

function pathOf(request: IncomingMessage): string {
  const url = request.url ?? '/';
  const query = url.indexOf('?');
  return query < 0 ? url : url.slice(0, query);
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.removeListener('error', reject);
      resolve();
    });
  });
}
