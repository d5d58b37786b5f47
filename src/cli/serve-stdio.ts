// One client on standard input and output. The transport opens first and the broker meanwhile: an MCP host waits for the
// answer to `initialize`, not for components.

import { deferCatalog } from '../catalog/deferred-catalog.ts';
import { LOCAL } from '../core/caller.ts';
import { createProtocol } from '../protocol/protocol.ts';
import { createServer } from '../server/server.ts';
import { serveStdio } from '../transport/stdio/stdio.ts';
import type { BrokerOptions } from './broker.ts';
import type { Io } from './command.ts';
import type { Gate } from './gate.ts';
import { serverOptions } from './server-options.ts';

/** Whoever holds our pipes started us, and is the local caller. Rejects when a component given by name cannot be loaded. */
export async function serveOnStdio(
  options: BrokerOptions,
  stop: AbortSignal,
  io: Io,
  gate: Pick<Gate, 'around' | 'admission'> | null = null,
): Promise<undefined> {
  const { promise: greeted, resolve: onGreeted } = Promise.withResolvers<void>();
  const opening = greeted.then(async () => (await import('./broker.ts')).openBroker(options, io));
  const catalog = deferCatalog(opening.then(({ catalog }) => catalog));
  const server = createServer(gate?.around(catalog) ?? catalog, serverOptions(io.version));
  const transport = serveStdio(
    createProtocol(server, options.log, gate ? { admission: gate.admission } : {}),
    { input: process.stdin, output: process.stdout },
    LOCAL,
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
