// What the headers of a POST must say: a known version since 2025-06-18, and at 2026-07-28 what the body says.

import type { IncomingHttpHeaders } from 'node:http';
import type { HttpFault } from '../fault.ts';
import { error } from '../methods.ts';
import type { Json } from '../server.ts';

const VERSIONS = ['2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'];
const NAMED = ['tools/call', 'resources/read', 'prompts/get'];

/** The error to answer with; null if the headers are right. */
export function headerFault(headers: IncomingHttpHeaders, message: Json, how: HttpFault): Json | null {
  const version = headers['mcp-protocol-version'];
  const params = (message.params ?? {}) as Json;
  const inBody = (params._meta as Json | undefined)?.['io.modelcontextprotocol/protocolVersion'];
  const mismatch = (what: string) => ({
    jsonrpc: '2.0',
    ...(message.id === undefined ? {} : { id: message.id }),
    ...error(-32020, `Header mismatch: ${what}`),
  });
  if (version !== undefined && inBody === undefined && !VERSIONS.includes(String(version))) {
    return how.anyVersionHeader ? null : mismatch('MCP-Protocol-Version');
  }
  if (inBody === undefined || !('id' in message) || how.anyHeaders) return null;
  if (version !== inBody && !how.anyVersionHeader) return mismatch('MCP-Protocol-Version');
  if (headers['mcp-method'] !== message.method) return mismatch('Mcp-Method');
  const name = params.name ?? params.uri;
  if (NAMED.includes(String(message.method)) && typeof name === 'string') {
    if (decoded(headers['mcp-name'], how) !== name) return mismatch('Mcp-Name');
  }
  const text = (params.arguments as Json | undefined)?.text;
  if (name === 'echo' && typeof text === 'string' && !how.anyParameterHeaders) {
    if (decoded(headers['mcp-param-text'], {}) !== text) return mismatch('Mcp-Param-Text');
  }
  return null;
}

function decoded(value: string | string[] | undefined, how: HttpFault): string | undefined {
  if (typeof value !== 'string') return undefined;
  const encoded = /^=\?base64\?(.*)\?=$/.exec(value)?.[1];
  return encoded === undefined || how.namesNotDecoded
    ? value
    : Buffer.from(encoded, 'base64').toString('utf8');
}
