// The one port that all network transports share: checks every request at the door, then hands it to the transport
// whose path it has. Errors become JSON-RPC errors with the status of the table.

import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import type { Duplex } from 'node:stream';
import { ANYBODY, type Caller } from '../../core/caller.ts';
import type { Credentials } from '../../core/credentials.ts';
import { WitboxError } from '../../core/errors.ts';
import type { JsonObject } from '../../core/json.ts';
import { toWire } from '../../protocol/errors.ts';
import type { Protocol } from '../../protocol/protocol.ts';
import { createDoor, type Quotas } from '../door.ts';
import { DEFAULT_LIMITS, TOGETHER, type TransportLimits } from '../limits.ts';
import { createWebSockets, type WebSockets } from '../websocket/websocket.ts';
import { createPeers } from './client-address.ts';
import { limitConnections } from './connections.ts';
import { createCredentialsReader } from './credentials.ts';
import { createGuard, type GuardOptions } from './guard.ts';
import { createLegacySse, type LegacySse, SSE_MESSAGE_PATH, SSE_PATH } from './legacy-sse.ts';
import { createListener } from './listener.ts';
import { oneAtATime } from './one-at-a-time.ts';
import { type Page, replyPage } from './page.ts';
import { replyError, replyJson } from './reply.ts';
import { watchSlowReaders } from './slow-readers.ts';
import { createStreamableHttp } from './streamable.ts';
import { readTls, type TlsFiles, watchTls } from './tls.ts';

export interface HttpOptions extends GuardOptions {
  readonly host?: string;
  /** 0 takes any free port. */
  readonly port?: number;
  readonly transports?: readonly NetworkTransport[];
  readonly limits?: Partial<TransportLimits>;
  /** Says who is calling, or throws; everybody is the same caller without it. */
  readonly authenticate?: (credentials: Credentials) => Caller | Promise<Caller>;
  /** The same from the request itself; asked instead of `authenticate` where both are given. */
  readonly identify?: (request: IncomingMessage) => Caller | Promise<Caller>;
  /** Throws if what a caller once proved no longer holds: then what they have open is closed. */
  readonly check?: (caller: Caller) => void;
  /** Asked anew each time. */
  readonly quotas?: () => Quotas;
  /** RFC 9728, for the endpoint with this path or, if it is empty, the whole server; null: no tokens are taken. */
  readonly metadata?: (path: string) => JsonObject | null;
  /** Addresses and networks of proxies whose X-Forwarded-For is believed. */
  readonly trustProxy?: readonly string[];
  readonly tls?: TlsFiles | undefined;
  /** Pages for those who watch, by path; answered while the server stops, too. */
  readonly pages?: ReadonlyMap<string, Page>;
}

export type NetworkTransport = 'http' | 'sse' | 'websocket';

export interface HttpTransport {
  readonly host: string;
  readonly port: number;
  /** SHA-256 of the certificate that is shown now; null without TLS. */
  readonly fingerprint: string | null;
  /** Reads the certificate and its key again, and lets other hosts and origins in from now on. */
  reload(options: GuardOptions): void;
  state(): TransportState;
  close(): Promise<void>;
}

export interface TransportState {
  readonly connections: number;
  readonly sessions: Readonly<Record<NetworkTransport, number>>;
  readonly inFlight: Readonly<Record<NetworkTransport, number>>;
}

const WEBSOCKET_PATH = '/ws';
const METADATA_PATH = '/.well-known/oauth-protected-resource';

export async function serveHttp(protocol: Protocol, options: HttpOptions = {}): Promise<HttpTransport> {
  const limits: TransportLimits = { ...DEFAULT_LIMITS, ...options.limits };
  let guard = createGuard(options);
  const peers = createPeers(options.trustProxy ?? []);
  const identify = options.identify ?? identifyBy(options.authenticate, createCredentialsReader(peers));
  const enabled = new Set<NetworkTransport>(options.transports ?? ['http', 'sse', 'websocket']);
  const { log } = protocol;
  let closing = false;

  const door = createDoor(() => transports, {
    maxSessions: limits.maxSessions,
    quotas: options.quotas,
    check: options.check,
  });
  const streamable = createStreamableHttp(protocol, limits, door);
  const sse: LegacySse = createLegacySse(protocol, limits, door);
  const sockets: WebSockets = createWebSockets(protocol, limits, door);
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
    const page = options.pages?.get(path) ?? metadataPage(path, options.metadata);
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

  let material = options.tls ? readTls(options.tls) : null;
  const listener = createListener(
    { requestTimeout: limits.requestMs, connectionsCheckingInterval: Math.min(2_000, limits.requestMs) },
    material,
    options.tls?.clientCa !== undefined,
    oneAtATime((request, response) => {
      route(request, response).catch((error: unknown) => replyError(response, error, log));
    }),
  );
  const { http: server } = listener;
  server.keepAliveTimeout = 60_000;
  listener.sockets.maxConnections = limits.maxConnections;
  const connections = limitConnections(
    listener.sockets,
    peers,
    () => options.quotas?.().connectionsPerAddress ?? null,
  );
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    upgrade(request, socket, head).catch((error: unknown) => {
      const { http, headers = {} } = toWire(error, log);
      const lines = Object.entries({ ...headers, Connection: 'close', 'Content-Length': '0' });
      const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
      socket.end(`HTTP/1.1 ${http} ${STATUS_CODES[http]}\r\n${head}\r\n`);
    });
  });
  const stopShedding = watchSlowReaders(server, limits.maxBacklogBytes * TOGETHER, log);
  const tick = setInterval(() => {
    for (const transport of transports) transport.tick();
  }, limits.keepAliveMs);
  tick.unref();

  await listen(listener.sockets, options.port ?? 0, options.host ?? '127.0.0.1');
  const { address, port } = listener.sockets.address() as AddressInfo;
  const certificates =
    options.tls &&
    watchTls(
      options.tls,
      (next) => {
        listener.secure(next);
        material = next;
      },
      log,
    );
  return {
    host: address,
    port,
    get fingerprint() {
      return material?.fingerprint ?? null;
    },
    reload(next) {
      guard = createGuard(next);
      certificates?.reload();
    },
    state: () => ({
      connections: connections.size,
      sessions: { http: streamable.size, sse: sse.size, websocket: sockets.size },
      inFlight: { http: streamable.inFlight, sse: sse.inFlight, websocket: sockets.inFlight },
    }),
    async close() {
      closing = true;
      clearInterval(tick);
      stopShedding();
      certificates?.stop();
      const closed = new Promise<void>((resolve) => {
        listener.sockets.close(() => resolve());
      });
      await Promise.all(transports.map((transport) => transport.close(limits.graceMs)));
      server.closeIdleConnections();
      setTimeout(() => server.closeAllConnections(), 1_000).unref();
      await closed;
      // With TLS it listened to nothing itself; what it does on the side ends here.
      if (server !== listener.sockets) server.close(() => {});
    },
  };
}

function identifyBy(
  authenticate: HttpOptions['authenticate'],
  credentialsOf: (request: IncomingMessage) => Credentials,
): (request: IncomingMessage) => Caller | Promise<Caller> {
  return authenticate ? (request) => authenticate(credentialsOf(request)) : () => ANYBODY;
}

function metadataPage(path: string, metadata: HttpOptions['metadata']): Page | undefined {
  if (!metadata || !path.startsWith(METADATA_PATH)) return undefined;
  const endpoint = path.slice(METADATA_PATH.length);
  const known = ['', '/mcp', '/mcp/rpc', SSE_PATH, WEBSOCKET_PATH].includes(endpoint);
  const document = known ? metadata(endpoint) : null;
  if (!document) return undefined;
  return () => ({ status: 200, type: 'application/json', body: JSON.stringify(document) });
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
