// One client on standard input and output. The transport opens first and the broker meanwhile: an MCP host waits for the
// answer to `initialize`, not for components.

import { deferCatalog } from '../catalog/deferred-catalog.ts';
import { ANYBODY } from '../core/caller.ts';
import { createProtocol } from '../protocol/protocol.ts';
import { createServer } from '../server/server.ts';
import { serveStdio } from '../transport/stdio/stdio.ts';
import type { BrokerOptions } from './broker.ts';
import type { Io } from './command.ts';
import { serverOptions } from './server-options.ts';

/** Rejects when a component that was asked for by name cannot be loaded. */
export async function serveOnStdio(options: BrokerOptions, stop: AbortSignal, io: Io): Promise<undefined> {
  const { promise: greeted, resolve: onGreeted } = Promise.withResolvers<void>();
  const opening = greeted.then(async () => (await import('./broker.ts')).openBroker(options, io));
  const server = createServer(
    deferCatalog(opening.then(({ catalog }) => catalog)),
    serverOptions(io.version),
  );
  const transport = serveStdio(
    createProtocol(server, options.log),
    { input: process.stdin, output: process.stdout },
    ANYBODY,
  );
  stop.addEventListener('abort', () => void transport.close(), { once: true });
  // Loading the broker keeps the thread busy for a while: what has already arrived is answered before it begins.
  setImmediate(() => setImmediate(onGreeted));
  try {
    await Promise.race([transport.closed, opening.then(({ ready }) => ready).then(() => transport.closed)]);
  } finally {
    server.close();
    await (await opening).close();
  }
}
