// The one port that all network transports share: checks every request at the door, then hands it to the transport
// whose path it has. Errors become JSON-RPC errors with the status of the table.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WitboxError } from '../../core/errors.ts';
import { ANYBODY, type Caller } from '../../protocol/caller.ts';
import type { Protocol } from '../../protocol/protocol.ts';
import { DEFAULT_LIMITS, type TransportLimits } from '../limits.ts';
import { createGuard, type GuardOptions } from './guard.ts';
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
}

export type NetworkTransport = 'http' | 'sse' | 'websocket';

export interface HttpTransport {
  readonly host: string;
  readonly port: number;
  close(): Promise<void>;
}

const TICK_MS = 5_000;

export async function serveHttp(protocol: Protocol, options: HttpOptions = {}): Promise<HttpTransport> {
  const limits: TransportLimits = { ...DEFAULT_LIMITS, ...options.limits };
  const guard = createGuard(options);
  const identify = options.identify ?? (() => ANYBODY);
  const enabled = new Set<NetworkTransport>(options.transports ?? ['http', 'sse', 'websocket']);
  const { log } = protocol;
  let closing = false;

  const streamable = createStreamableHttp(protocol, limits, () => 0);

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
    if (closing) throw new WitboxError('shutting-down');
    const caller = await identify(request);
    if (enabled.has('http') && (path === '/mcp' || path === '/mcp/rpc'))
      await streamable.handle(request, response, caller);
    else throw new WitboxError('http-not-found', { path });
  };

  const server = createServer(
    { requestTimeout: limits.requestMs, connectionsCheckingInterval: 2_000 },
    (request, response) => {
      route(request, response).catch((error: unknown) => replyError(response, error, log));
    },
  );
  server.keepAliveTimeout = 60_000;
  const tick = setInterval(() => streamable.tick(), TICK_MS);
  tick.unref();

  await listen(server, options.port ?? 0, options.host ?? '127.0.0.1');
  const { address, port } = server.address() as AddressInfo;
  return {
    host: address,
    port,
    async close() {
      closing = true;
      clearInterval(tick);
      const closed = new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
      await streamable.close(limits.graceMs);
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
