// What a person sees when the server is up: addresses, configuration for the usual hosts, and one command to try.

import type { Tool } from '../core/mcp.ts';
import type { NetworkTransport } from '../transport/http/http.ts';

export interface Welcome {
  readonly host: string;
  readonly port: number;
  /** SHA-256 of the certificate; null without TLS. */
  readonly fingerprint: string | null;
  readonly transports: readonly NetworkTransport[];
  readonly tools: readonly Tool[];
  /** To a person on a terminal; programs get the addresses only. */
  readonly isTerminal: boolean;
  /** What starts this Witbox, wherever it is started from: no name that a registry would be asked for. */
  readonly command: readonly string[];
  readonly dataDir: string;
  /** How callers say who they are: clients find their way to tokens and certificates without us. */
  readonly proof: 'none' | 'key' | 'other';
  readonly publicUrl: string | null;
  /** The certificate that clients have to be told to trust, if it is our own. */
  readonly authority: string | null;
}

/** What VS Code asks its user for, once. */
const INPUTS = [{ type: 'promptString', id: 'key', description: 'Key for Witbox', password: true }];

const PATHS: Readonly<Record<NetworkTransport, readonly [string, string]>> = {
  http: ['http', '/mcp'],
  sse: ['http', '/sse'],
  websocket: ['ws', '/ws'],
};
const NAMES: Readonly<Record<NetworkTransport, string>> = {
  http: 'Streamable HTTP',
  sse: 'HTTP+SSE',
  websocket: 'WebSocket',
};

export function welcome(given: Welcome): string {
  const { host, port, fingerprint, transports, tools, isTerminal } = given;
  const at = host.includes(':') ? `[${host}]` : host;
  const tls = fingerprint === null ? '' : 's';
  const addresses = transports.map(
    (one) => `  ${NAMES[one].padEnd(16)} ${PATHS[one][0]}${tls}://${at}:${port}${PATHS[one][1]}`,
  );
  const certificate = fingerprint === null ? '' : `  Certificate      SHA-256 ${fingerprint}\n`;
  const head = `Witbox serves ${tools.length} tools\n${addresses.join('\n')}\n${certificate}`;
  if (!isTerminal) return head;
  // Where a client on this machine finds it: "all addresses" is none to call.
  const near = host === '0.0.0.0' || host === '::' ? 'localhost' : at;
  return `${head}${advice(given, `http${tls}://${near}:${port}/mcp`).join('\n')}\n`;
}

function advice({ command, dataDir, proof, publicUrl, authority }: Welcome, near: string): string[] {
  const [program, ...args] = command;
  const local = {
    mcpServers: {
      witbox: { command: program, args: [...args, 'serve', '--stdio', '--data-dir', dataDir] },
    },
  };
  const withKey = proof === 'key';
  const url = publicUrl === null ? near : publicUrl.replace(/(\/mcp)?\/?$/, '/mcp');
  const headers = withKey ? { headers: { Authorization: `Bearer \${input:key}` } } : {};
  const remote = {
    ...(withKey && { inputs: INPUTS }),
    servers: { witbox: { type: 'http', url, ...headers } },
  };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
  const trust = authority === null ? '' : ` --cacert '${authority}'`;
  const key = withKey ? ' -H "authorization: Bearer $KEY"' : '';
  return [
    // Whoever has to prove who they are must not be led past the gate.
    ...(proof === 'none'
      ? ['Claude Desktop (claude_desktop_config.json) and Cursor (mcp.json):', `  ${JSON.stringify(local)}`]
      : []),
    ...(withKey ? ['Make a key, and keep it in KEY:', '  witbox key create NAME'] : []),
    'VS Code (.vscode/mcp.json):',
    `  ${JSON.stringify(remote)}`,
    'Try it:',
    `  curl -s${trust} ${near}${key} -H 'content-type: application/json' -H 'accept: application/json, text/event-stream' -d '${body}'`,
  ];
}
