// All network transports on one port.

import { ANYBODY } from '../core/caller.ts';
import { WitboxError } from '../core/errors.ts';
import { createProtocol, type Protocol } from '../protocol/protocol.ts';
import { createServer } from '../server/server.ts';
import {
  type HttpOptions,
  type HttpTransport,
  type NetworkTransport,
  serveHttp,
} from '../transport/http/http.ts';
import { type BrokerOptions, openBroker } from './broker.ts';
import type { Io } from './command.ts';
import { serverOptions } from './server-options.ts';
import { welcome } from './welcome.ts';

export interface NetworkOptions extends HttpOptions {
  readonly host: string;
  readonly port: number;
  readonly transports: readonly NetworkTransport[];
}

export async function serveOnNetwork(
  brokerOptions: BrokerOptions,
  options: NetworkOptions,
  stop: AbortSignal,
  io: Io,
): Promise<undefined> {
  const { host, transports } = options;
  if (!isLoopback(host)) throw new WitboxError('bind-refused', { host });
  const broker = await openBroker(brokerOptions, io);
  const server = createServer(broker.catalog, serverOptions(io.version));
  try {
    const http = await listen(createProtocol(server, brokerOptions.log), options);
    await broker.ready;
    const tools = broker.catalog.tools(ANYBODY).items;
    io.err(welcome({ host: http.host, port: http.port, transports, tools, isTerminal: io.isTerminal }));
    await new Promise<void>((resolve) => {
      if (stop.aborted) resolve();
      stop.addEventListener('abort', () => resolve(), { once: true });
    });
    // In this order: streams that listen end with a result while there is still somebody to tell.
    server.close();
    await http.close();
  } finally {
    server.close();
    await broker.close();
  }
}

async function listen(protocol: Protocol, options: NetworkOptions): Promise<HttpTransport> {
  try {
    return await serveHttp(protocol, options);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE' || code === 'EACCES' || code === 'EADDRNOTAVAIL') {
      throw new WitboxError('bind-failed', { host: options.host, port: options.port, code }, error);
    }
    throw error;
  }
}

/** Others could reach it, and nobody has to prove who they are yet. */
function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host);
}
