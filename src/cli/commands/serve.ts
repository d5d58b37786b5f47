// `witbox serve`: the main job. Opens the transports over one catalogue and stays until it is told to stop. What a run
// does not need is not loaded, so that a client on stdio is greeted at once.

import { WitboxError } from '../../core/errors.ts';
import type { BrokerOptions } from '../broker.ts';
import { defineCommand } from '../command.ts';

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
    const { createLogger } = await import('../../core/log.ts');
    const log = createLogger({ levels: io.env.WITBOX_LOG, write: io.err });
    const broker: BrokerOptions = {
      dataDir: flags['data-dir'],
      components: flags.component ?? [],
      folders: flags.watch ?? [],
      manage: flags['no-management'] !== true,
      grant: flags['allow-granting'] === true,
      log,
    };
    if (flags.stdio) {
      const { serveOnStdio } = await import('../serve-stdio.ts');
      return serveOnStdio(broker, stop, io);
    }
    const named = (['http', 'sse', 'websocket'] as const).filter((one) => flags[one]);
    const { serveOnNetwork } = await import('../serve-network.ts');
    return serveOnNetwork(
      broker,
      {
        host: flags.host ?? '127.0.0.1',
        port: readPort(flags.port),
        transports: named.length > 0 ? named : ['http', 'sse', 'websocket'],
        allowedOrigins: flags['allow-origin'] ?? [],
        allowedHosts: flags['allow-host'] ?? [],
      },
      stop,
      io,
    );
  },
});

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
