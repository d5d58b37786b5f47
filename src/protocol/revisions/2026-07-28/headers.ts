// The headers that mirror a request's body, so that what stands between need not read it: Mcp-Method, Mcp-Name and
// Mcp-Param-* for parameters that a tool marks with x-mcp-header. Header and body must tell the same, or the request
// is refused (2026-07-28, transports/streamable-http, server validation).

import type { IncomingHttpHeaders } from 'node:http';
import { WitboxError } from '../../../core/errors.ts';
import { isJsonObject, type Json, type JsonObject, own } from '../../../core/json.ts';
import type { Tool } from '../../../server/canonical.ts';
import type { RequestMessage } from '../../envelope.ts';
import type { HttpRules } from '../../revision.ts';

const NAMED_BY: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
  'tasks/get': 'taskId',
  'tasks/update': 'taskId',
  'tasks/cancel': 'taskId',
};

const ENCODED = /^=\?base64\?(.*)\?=$/s;
const PLAIN = /^[\x20-\x7e\t]*$/;

export function createHeaderCheck(): HttpRules['checkHeaders'] {
  const paramsOf = memoized(markedParams);
  return (headers, request, toolOf) => checkHeaders(headers, request, toolOf, paramsOf);
}

function checkHeaders(
  headers: IncomingHttpHeaders,
  request: RequestMessage,
  toolOf: (name: string) => Tool | undefined,
  paramsOf: (schema: JsonObject) => readonly MarkedParam[],
): void {
  if (headers['mcp-method'] !== request.method)
    throw mismatch('Mcp-Method', headers['mcp-method'], request.method);
  const source = Object.hasOwn(NAMED_BY, request.method) ? NAMED_BY[request.method] : undefined;
  if (source === undefined) return;
  const name = own(request.params, source);
  // A name that is not a string is told as what it is: invalid params.
  if (typeof name !== 'string') return;
  if (decoded('Mcp-Name', headers['mcp-name']) !== name)
    throw mismatch('Mcp-Name', headers['mcp-name'], name);
  if (request.method !== 'tools/call') return;
  const tool = toolOf(name);
  const args = own(request.params, 'arguments');
  if (tool) checkParams(headers, paramsOf(tool.inputSchema), isJsonObject(args) ? args : {});
}

function checkParams(headers: IncomingHttpHeaders, params: readonly MarkedParam[], args: JsonObject): void {
  for (const { header, path } of params) {
    const sent = decoded(header, headers[header.toLowerCase()]);
    const value = valueAt(args, path);
    if (value === undefined || value === null) {
      if (sent !== undefined) throw mismatch(header, sent, undefined);
    } else if (sent === undefined || !same(sent, value)) {
      throw mismatch(header, sent, String(value));
    }
  }
}

interface MarkedParam {
  readonly header: string;
  readonly path: readonly string[];
}

/** Definitions are immutable, so the walk is done once per schema. */
function memoized<T>(read: (schema: JsonObject) => T): (schema: JsonObject) => T {
  const known = new WeakMap<JsonObject, T>();
  return (schema) => {
    const found = known.get(schema) ?? read(schema);
    known.set(schema, found);
    return found;
  };
}

/** Only a chain of `properties` counts. */
function markedParams(schema: JsonObject): readonly MarkedParam[] {
  const found: MarkedParam[] = [];
  const walk = (at: Json | undefined, path: readonly string[]): void => {
    if (!isJsonObject(at)) return;
    const mark = own(at, 'x-mcp-header');
    if (typeof mark === 'string' && path.length > 0) found.push({ header: `Mcp-Param-${mark}`, path });
    const properties = own(at, 'properties');
    if (!isJsonObject(properties)) return;
    for (const [name, inner] of Object.entries(properties)) walk(inner, [...path, name]);
  };
  walk(schema, []);
  return found;
}

function valueAt(args: JsonObject, path: readonly string[]): Json | undefined {
  let value: Json | undefined = args;
  for (const name of path) value = isJsonObject(value) ? own(value, name) : undefined;
  return value;
}

function same(sent: string, value: Json): boolean {
  if (typeof value === 'number') return /^-?\d/.test(sent) && Number(sent) === value;
  return sent === (typeof value === 'boolean' ? `${value}` : value);
}

function decoded(header: string, value: string | string[] | undefined): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== 'string' || !PLAIN.test(value))
    throw refused(`${header} has characters that are not allowed`);
  const encoded = ENCODED.exec(value.trim())?.[1];
  if (encoded === undefined) return value.trim();
  const bytes = Buffer.from(encoded, 'base64');
  if (bytes.toString('base64') !== encoded) throw refused(`${header} is not valid Base64`);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw refused(`${header} is not valid UTF-8`);
  }
}

function mismatch(
  header: string,
  sent: string | string[] | undefined,
  body: string | undefined,
): WitboxError {
  if (sent === undefined) return refused(`${header} is missing, the body says "${body}"`);
  return refused(`${header} is "${sent}", the body says ${body === undefined ? 'nothing' : `"${body}"`}`);
}

function refused(reason: string): WitboxError {
  return new WitboxError('header-mismatch', { reason });
}
