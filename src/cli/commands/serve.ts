// `witbox serve`: the main job. Opens the transports over one catalogue and stays until it is told to stop. What a run
// does not need is not loaded, so that a client on stdio is greeted at once.

import type { BrokerOptions } from '../broker.ts';
import { defineCommand } from '../command.ts';
import { CONFIG_FLAG } from '../config-file.ts';

export const serve = defineCommand({
  args: '',
  arity: [0, 0],
  help: `
Serves the tools of all components in the data directory, and of those given with --component, over MCP. Without
a transport flag all network transports are open on one port: Streamable HTTP on /mcp, HTTP+SSE on /sse,
WebSocket on /ws. Logs are JSON lines on stderr; WITBOX_LOG=debug shows more.

Everything can be said in a file, witbox.yaml by custom: who may call, what and how often, TLS, the audit log. Flags
beat the file. "witbox config show" prints all that can be said; a server reads its file again on SIGHUP.

  witbox serve
  witbox serve --config witbox.yaml
  witbox serve --stdio --component calculator.wasm
  witbox serve --http --port 9000 --watch ./components
`,
  flags: {
    ...CONFIG_FLAG,
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
    'public-url': {
      type: 'string',
      value: 'URL',
      summary: 'What clients call this server: its resource identifier for OAuth',
    },
    'tls-certificate': { type: 'string', value: 'FILE', summary: 'Certificate chain for TLS, PEM' },
    'tls-key': { type: 'string', value: 'FILE', summary: 'Its private key, PEM' },
    'tls-client-ca': {
      type: 'string',
      value: 'FILE',
      summary: 'Authorities whose client certificates are taken, PEM',
    },
    'tls-self-signed': {
      type: 'boolean',
      summary: 'Make a certificate, kept in the data directory, for a try',
    },
    'insecure-no-auth': {
      type: 'boolean',
      summary: 'Serve others than this machine without asking who they are',
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
    'data-dir': { type: 'string', value: 'DIR', summary: 'Where components, policies and keys are kept' },
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
    const isPlain = !flags.config && !io.env.WITBOX_CONFIG && !Object.keys(io.env).some(isForTraces);
    if (flags.stdio && isPlain) {
      const { createLogger } = await import('../../core/log.ts');
      const broker: BrokerOptions = {
        dataDir: flags['data-dir'],
        components: flags.component ?? [],
        folders: flags.watch ?? [],
        manage: flags['no-management'] !== true,
        grant: flags['allow-granting'] === true,
        log: createLogger({ levels: io.env.WITBOX_LOG, write: io.err, redactor: io.redactor }),
      };
      const { serveOnStdio } = await import('../serve-stdio.ts');
      return serveOnStdio(broker, stop, io);
    }
    const { openServing, serveOnStdioByConfig } = await import('../serving.ts');
    const serving = await openServing(flags, io);
    if (flags.stdio) return serveOnStdioByConfig(serving, stop);
    const { serveOnNetwork } = await import('../serve-network.ts');
    return serveOnNetwork(serving, stop);
  },
});

/** The standard variables of OpenTelemetry. */
const isForTraces = (name: string): boolean => name.startsWith('OTEL_');
