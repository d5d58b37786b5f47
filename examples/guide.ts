// What to do with the server that `npm start` has started: configuration to paste into the usual hosts, which works from
// this clone without installing anything, and commands to try.

import { join } from 'node:path';

export interface Place {
  readonly root: string;
  readonly dataDir: string;
  readonly port: string;
}

export function guide({ root, dataDir, port }: Place): string {
  const url = `http://127.0.0.1:${port}/mcp`;
  const launch = {
    command: process.execPath,
    args: [join(root, 'bin/witbox.cjs'), 'serve', '--stdio', '--data-dir', dataDir],
  };
  const call = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'add', arguments: { a: 5, b: 3 } },
  };
  return [
    '',
    'Claude Desktop (claude_desktop_config.json):',
    `  ${JSON.stringify({ mcpServers: { witbox: launch } })}`,
    'Cursor (.cursor/mcp.json):',
    `  ${JSON.stringify({ mcpServers: { witbox: { url } } })}`,
    'VS Code (.vscode/mcp.json):',
    `  ${JSON.stringify({ servers: { witbox: { type: 'http', url } } })}`,
    'Try it:',
    `  curl -s ${url} -H 'content-type: application/json' -H 'accept: application/json, text/event-stream' -d '${JSON.stringify(call)}'`,
    'Grant something, also while it runs:',
    `  npx witbox permission grant fetch network example.com --data-dir ${dataDir}`,
    'Stop it with Ctrl-C.',
    '',
  ].join('\n');
}
