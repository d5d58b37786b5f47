// A whole server in this process, on every transport, with the fixture catalogue; each wire is a client of its own.

import { createLogger } from '../../src/core/log.ts';
import { createProtocol, type Protocol } from '../../src/protocol/protocol.ts';
import { createServer, type ServerOptions } from '../../src/server/server.ts';
import { type HttpOptions, serveHttp } from '../../src/transport/http/http.ts';
import { DEFAULT_LIMITS } from '../../src/transport/limits.ts';
import { createFixtureCatalog, type FixtureCatalog } from './fixture/catalog.ts';
import { openHttp } from './wire/http-wire.ts';
import { openSse } from './wire/sse-wire.ts';
import { openStdio } from './wire/stdio-wire.ts';
import { openWebSocket } from './wire/websocket-wire.ts';
import type { Wire } from './wire/wire.ts';

export const TRANSPORTS = ['stdio', 'http', 'sse', 'websocket'] as const;
export type TransportName = (typeof TRANSPORTS)[number];

export interface Harness {
  readonly catalog: FixtureCatalog;
  readonly protocol: Protocol;
  readonly origin: string;
  readonly logs: string[];
  open(transport: TransportName): Promise<Wire>;
  close(): Promise<void>;
}

export interface HarnessOptions {
  readonly server?: Partial<ServerOptions>;
  readonly http?: HttpOptions;
  readonly logLevels?: string;
}

export async function createHarness(options: HarnessOptions = {}): Promise<Harness> {
  const logs: string[] = [];
  const log = createLogger({ levels: options.logLevels ?? 'info', write: (line) => logs.push(line) });
  const catalog = createFixtureCatalog();
  const info = { name: 'witbox-fixture', version: '1.0.0', title: 'Fixture' };
  const server = createServer(catalog, { info, pageSize: 20, ...options.server });
  const protocol = createProtocol(server, log);
  const http = await serveHttp(protocol, { limits: { graceMs: 2_000 }, ...options.http });
  const origin = `http://127.0.0.1:${http.port}`;
  return {
    catalog,
    protocol,
    origin,
    logs,
    async open(transport) {
      switch (transport) {
        case 'stdio':
          return openStdio(protocol, { ...DEFAULT_LIMITS, graceMs: 2_000, ...options.http?.limits });
        case 'http':
          return openHttp(`${origin}/mcp`);
        case 'sse':
          return openSse(`${origin}/sse`);
        case 'websocket':
          return openWebSocket(`${origin.replace('http', 'ws')}/ws`);
      }
    },
    async close() {
      server.close();
      await http.close();
    },
  };
}
