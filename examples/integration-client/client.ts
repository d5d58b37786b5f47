// Lives through a connection with any MCP server and tells how it went. Exit status 1 if a step failed.
// Usage: node examples/integration-client/client.ts [--legacy] [--call TOOL] [--args JSON] [--long TOOL]
//          [--long-args JSON] (--http URL | --sse URL | -- COMMAND ARGS …)

import { parseArgs } from 'node:util';
import {
  SSEClientTransport,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { liveThrough } from './life-cycle.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    http: { type: 'string' },
    sse: { type: 'string' },
    legacy: { type: 'boolean' },
    call: { type: 'string' },
    args: { type: 'string', default: '{}' },
    long: { type: 'string' },
    'long-args': { type: 'string', default: '{}' },
  },
});

function transport(): Transport {
  if (values.http !== undefined) return new StreamableHTTPClientTransport(new URL(values.http));
  if (values.sse !== undefined) return new SSEClientTransport(new URL(values.sse));
  const [command, ...args] = positionals;
  if (command === undefined) throw new Error('Name a server: --http URL, --sse URL, or -- COMMAND');
  return new StdioClientTransport({ command, args, stderr: 'inherit' });
}

const wish = (name: string | undefined, text: string) =>
  name === undefined ? undefined : { name, arguments: JSON.parse(text) as Record<string, unknown> };
const call = wish(values.call, values.args);
const long = wish(values.long, values['long-args']);

const steps = await liveThrough(
  transport(),
  { ...(call && { call }), ...(long && { long }), opening: values.legacy ? 'legacy' : 'auto' },
  ({ name, outcome, words }) => console.log(`${outcome.padEnd(9)} ${name.padEnd(18)} ${words}`),
);
if (steps.some(({ outcome }) => outcome === 'failed')) process.exitCode = 1;
