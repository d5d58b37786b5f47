// `name.tools.yaml` beside a component: words and names for its tools that the binary does not carry. It may describe,
// rename, hide and annotate; it can never make a tool do something else. Strict: an unknown key is an error with its place.
//
//   tools:
//     add: { title: Add, description: Adds two numbers, params: { a: First }, annotations: { readOnlyHint: true } }
//     debug: { hidden: true }
//     render: { task: optional }

import { parseDocument } from 'yaml';
import { WitboxError } from '../core/errors.ts';
import type { JsonObject } from '../core/json.ts';
import { schemaFault } from '../core/json-schema/schema-fault.ts';
import type { ToolAnnotations } from '../core/mcp.ts';
import { reachFault } from './mcp/schema-reach.ts';

export interface ToolSidecar {
  readonly name?: string;
  readonly title?: string;
  readonly description?: string;
  readonly params?: Readonly<Record<string, string>>;
  readonly annotations?: ToolAnnotations;
  readonly hidden?: boolean;
  /** Takes long: a call becomes a task where the client has tasks. */
  readonly task?: 'optional' | 'required';
  readonly inputSchema?: JsonObject;
  readonly outputSchema?: JsonObject;
}

const MAX_TEXT = 256 * 1024;
const STRINGS = ['name', 'title', 'description'];
const OBJECTS = ['params', 'annotations', 'inputSchema', 'outputSchema'];
const NAME = /^[A-Za-z0-9_.-]{1,128}$/;

/** By the function's own name, or by `interface/function`. Throws `sidecar-invalid`. */
export function parseSidecar(text: string, file: string): ReadonlyMap<string, ToolSidecar> {
  const refuse = (problem: string): never => {
    throw new WitboxError('sidecar-invalid', { file, problem });
  };
  if (text.length > MAX_TEXT) refuse(`it is longer than ${MAX_TEXT} characters`);
  const document = parseDocument(text, { uniqueKeys: true });
  const [error] = document.errors;
  if (error !== undefined) refuse(error.message.split('\n')[0]!);
  const root = readObject(document.toJS({ maxAliasCount: 0 }) as unknown, 'the document');
  const tools = new Map<string, ToolSidecar>();

  function readObject(value: unknown, what: string): Record<string, unknown> {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      refuse(`${what} must be a mapping`);
    return value as Record<string, unknown>;
  }

  for (const key of Object.keys(root)) if (key !== 'tools') refuse(`unknown key "${key}", expected "tools"`);
  for (const [name, entry] of Object.entries(readObject(root.tools ?? {}, 'tools'))) {
    const fields = readObject(entry, `tools.${name}`);
    for (const [key, value] of Object.entries(fields)) {
      const where = `tools.${name}.${key}`;
      if (STRINGS.includes(key) && typeof value !== 'string') refuse(`${where} must be a string`);
      else if (key === 'hidden' && typeof value !== 'boolean') refuse(`${where} must be true or false`);
      else if (OBJECTS.includes(key)) readObject(value, where);
      else if (key === 'task' && value !== 'optional' && value !== 'required') {
        refuse(`${where} must be optional or required`);
      } else if (!STRINGS.includes(key) && key !== 'hidden' && key !== 'task')
        refuse(`unknown key "${where}"`);
    }
    if (typeof fields.name === 'string' && !NAME.test(fields.name)) {
      refuse(`tools.${name}.name is "${fields.name}", expected 1 to 128 of A–Z a–z 0–9 _ - .`);
    }
    for (const key of ['inputSchema', 'outputSchema']) {
      const schema = fields[key] as JsonObject | undefined;
      const fault = schema === undefined ? null : (schemaFault(schema) ?? reachFault(schema));
      if (fault !== null) refuse(`tools.${name}.${key}: ${fault}`);
    }
    tools.set(name, fields as ToolSidecar);
  }
  return tools;
}
