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
}

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

export function welcome({ host, port, fingerprint, transports, tools, isTerminal }: Welcome): string {
  const at = host.includes(':') ? `[${host}]` : host;
  const tls = fingerprint === null ? '' : 's';
  const addresses = transports.map(
    (one) => `  ${NAMES[one].padEnd(16)} ${PATHS[one][0]}${tls}://${at}:${port}${PATHS[one][1]}`,
  );
  const certificate = fingerprint === null ? '' : `  Certificate      SHA-256 ${fingerprint}\n`;
  const head = `Witbox serves ${tools.length} tools\n${addresses.join('\n')}\n${certificate}`;
  if (!isTerminal) return head;
  const config = JSON.stringify({
    mcpServers: { witbox: { command: 'npx', args: ['witbox', 'serve', '--stdio'] } },
  });
  const code = JSON.stringify({
    servers: { witbox: { type: 'http', url: `http${tls}://${at}:${port}/mcp` } },
  });
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
  return [
    head,
    'Claude Desktop (claude_desktop_config.json) and Cursor (mcp.json):',
    `  ${config}`,
    'VS Code (.vscode/mcp.json):',
    `  ${code}`,
    'Try it:',
    `  curl -s http${tls}://${at}:${port}/mcp -H 'content-type: application/json' -H 'accept: application/json, text/event-stream' -d '${body}'`,
    '',
  ].join('\n');
}
