// `witbox serve`: the main job. Opens the transports over one catalogue and stays until it is told to stop.

import { WitboxError } from '../../core/errors.ts';
import { createLogger } from '../../core/log.ts';
import { ANYBODY } from '../../protocol/caller.ts';
import { createProtocol, type Protocol } from '../../protocol/protocol.ts';
import { createServer } from '../../server/server.ts';
import { type NetworkTransport, serveHttp } from '../../transport/http/http.ts';
import { serveStdio } from '../../transport/stdio/stdio.ts';
import { openBroker } from '../broker.ts';
import { defineCommand, type Io } from '../command.ts';
import { welcome } from '../welcome.ts';

const INSTRUCTIONS =
  'Tools run as WebAssembly in a sandbox that grants nothing by default. A call that fails with -32001 names the permission that an operator would have to grant.';

export const serve = defineCommand({
  args: '',
  arity: [0, 0],
  help: `
Serves the tools of all components in the data directory, and of those given with --component, over MCP. Without
a transport flag all network transports are open on one port: Streamable HTTP on /mcp, HTTP+SSE on /sse,
WebSocket on /ws. Logs are JSON lines on stderr; WITBOX_LOG=debug shows more.

  witbox serve
  witbox serve --stdio --component calculator.wasm
  witbox serve --http --port 9000 --watch ./components
`,
  flags: {
    stdio: { type: 'boolean', summary: 'Serve one client on standard input and output' },
    http: { type: 'boolean', summary: 'Open Streamable HTTP' },
    sse: { type: 'boolean', summary: 'Open HTTP+SSE, the transport of 2024-11-05' },
    websocket: { type: 'boolean', summary: 'Open WebSocket' },
    host: { type: 'string', value: 'ADDRESS', summary: 'Address to listen on (127.0.0.1)' },
    port: { type: 'string', value: 'PORT', summary: 'Port to listen on (8080)' },
    'allow-origin': {
      type: 'string',
      multiple: true,
      value: 'ORIGIN',
      summary: 'Let pages of this origin call',
    },
    'allow-host': {
      type: 'string',
      multiple: true,
      value: 'HOST',
      summary: 'Accept this name in the Host header',
    },
    component: {
      type: 'string',
      multiple: true,
      value: 'PATH-OR-URI',
      summary: 'Serve this component too, for this run',
    },
    watch: {
      type: 'string',
      multiple: true,
      value: 'FOLDER',
      summary: 'Serve the .wasm files of this folder too, as they come and go',
    },
    'data-dir': { type: 'string', value: 'DIR', summary: 'Where components and policies are kept' },
    'no-management': {
      type: 'boolean',
      summary: 'Leave out the built-in tools that load and list components',
    },
    'allow-granting': {
      type: 'boolean',
      summary: 'Offer tools that widen permissions: only for clients you trust',
    },
  },
  async run({ flags }, io) {
    const stop = io.stopSignal();
    const log = createLogger({ levels: io.env.WITBOX_LOG, write: io.err });
    const broker = await openBroker(
      {
        dataDir: flags['data-dir'],
        components: flags.component ?? [],
        folders: flags.watch ?? [],
        manage: flags['no-management'] !== true,
        grant: flags['allow-granting'] === true,
        log,
      },
      io,
    );
    const server = createServer(broker.catalog, {
      info: { name: 'witbox', version: io.version, title: 'Witbox' },
      instructions: INSTRUCTIONS,
    });
    const protocol = createProtocol(server, log);
    try {
      // A component that was asked for by name and cannot be loaded ends the run; all others are in the log.
      if (flags.stdio)
        await Promise.race([
          stdio(protocol, io, stop),
          broker.ready.then(() => new Promise<never>(() => {})),
        ]);
      else {
        const port = readPort(flags.port);
        const named = (['http', 'sse', 'websocket'] as const).filter((one) => flags[one]);
        const transports: readonly NetworkTransport[] =
          named.length > 0 ? named : ['http', 'sse', 'websocket'];
        const http = await listen(protocol, {
          host: flags.host ?? '127.0.0.1',
          port,
          transports,
          origins: flags['allow-origin'] ?? [],
          hosts: flags['allow-host'] ?? [],
        });
        await broker.ready;
        io.err(
          welcome({
            host: http.host,
            port: http.port,
            transports,
            tools: broker.catalog.tools(ANYBODY).items,
            isTerminal: io.isTerminal,
          }),
        );
        await new Promise<void>((resolve) => stop.addEventListener('abort', () => resolve(), { once: true }));
        server.close();
        await http.close();
      }
    } finally {
      server.close();
      await broker.close();
    }
  },
});

async function stdio(protocol: Protocol, _io: Io, stop: AbortSignal): Promise<void> {
  const transport = serveStdio(protocol, { input: process.stdin, output: process.stdout }, ANYBODY);
  stop.addEventListener('abort', () => void transport.close(), { once: true });
  await transport.closed;
}

interface Listening {
  readonly host: string;
  readonly port: number;
  readonly transports: readonly NetworkTransport[];
  readonly origins: readonly string[];
  readonly hosts: readonly string[];
}

async function listen(protocol: Protocol, { host, port, transports, origins, hosts }: Listening) {
  if (!isLoopback(host)) throw new WitboxError('bind-refused', { host });
  try {
    return await serveHttp(protocol, {
      host,
      port,
      transports,
      allowedOrigins: origins,
      allowedHosts: hosts,
    });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE' || code === 'EACCES' || code === 'EADDRNOTAVAIL') {
      throw new WitboxError('bind-failed', { host, port, code }, error);
    }
    throw error;
  }
}

/** Others could reach it, and nobody has to prove who they are yet. */
function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host);
}

function readPort(text: string | undefined): number {
  if (text === undefined) return 8080;
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535)
    throw new WitboxError('flag-invalid', {
      flag: '--port',
      value: text,
      expected: 'a number from 0 to 65535',
    });
  return port;
}
