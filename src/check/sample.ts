// Makes arguments that fit a tool's own input schema, so that a server can be called without fixtures. Deliberately
// modest: what it cannot satisfy it gives up on (null), and the check that wanted to call says so.

import { isObject, type JsonObject } from './message.ts';

const MAX_DEPTH = 8;

/** Smallest plausible arguments: required properties only. */
export function sampleArguments(schema: unknown): JsonObject | null {
  const value = sample(schema, 0);
  return isObject(value) ? value : null;
}

function sample(schema: unknown, depth: number): unknown {
  if (schema === true) return {};
  if (!isObject(schema) || depth > MAX_DEPTH) return undefined;
  if (Object.hasOwn(schema, 'const')) return schema.const;
  if (Object.hasOwn(schema, 'default')) return schema.default;
  if (Array.isArray(schema.examples) && schema.examples.length > 0) return schema.examples[0];
  if (Array.isArray(schema.enum)) return schema.enum[0];
  for (const choices of [schema.anyOf, schema.oneOf]) {
    if (Array.isArray(choices)) return sample(choices[0], depth + 1);
  }
  if (Array.isArray(schema.allOf) && schema.allOf.length === 1) return sample(schema.allOf[0], depth + 1);
  switch (Array.isArray(schema.type) ? schema.type[0] : schema.type) {
    case 'object':
      return sampleObject(schema, depth);
    case 'array':
      return sampleArray(schema, depth);
    case 'string':
      return sampleString(schema);
    case 'integer':
    case 'number':
      return sampleNumber(schema);
    case 'boolean':
      return false;
    case 'null':
      return null;
    default:
      return isObject(schema.properties) ? sampleObject(schema, depth) : undefined;
  }
}

function sampleObject(schema: JsonObject, depth: number): JsonObject | undefined {
  const properties = isObject(schema.properties) ? schema.properties : {};
  const required = Array.isArray(schema.required) ? schema.required : [];
  const entries: [string, unknown][] = [];
  for (const name of required) {
    if (typeof name !== 'string') return undefined;
    const value = sample(properties[name], depth + 1);
    if (value === undefined) return undefined;
    entries.push([name, value]);
  }
  return Object.fromEntries(entries);
}

function sampleArray(schema: JsonObject, depth: number): unknown[] | undefined {
  const count = typeof schema.minItems === 'number' ? schema.minItems : 0;
  if (count > 100) return undefined;
  const item = count === 0 ? null : sample(schema.items ?? true, depth + 1);
  return item === undefined ? undefined : Array.from({ length: count }, () => item);
}

const FORMATS: Readonly<Record<string, string>> = {
  'date-time': '2026-01-01T00:00:00Z',
  date: '2026-01-01',
  time: '00:00:00Z',
  email: 'someone@example.com',
  uri: 'https://example.com/',
  url: 'https://example.com/',
  uuid: '00000000-0000-4000-8000-000000000000',
  hostname: 'example.com',
  ipv4: '127.0.0.1',
  ipv6: '::1',
};

function sampleString(schema: JsonObject): string | undefined {
  if (typeof schema.pattern === 'string') return undefined;
  const known = typeof schema.format === 'string' ? FORMATS[schema.format] : undefined;
  if (known !== undefined) return known;
  const least = typeof schema.minLength === 'number' ? schema.minLength : 0;
  return least > 10_000 ? undefined : 'a'.repeat(Math.max(1, least));
}

function sampleNumber(schema: JsonObject): number {
  const { minimum, exclusiveMinimum, maximum } = schema;
  if (typeof minimum === 'number') return minimum;
  if (typeof exclusiveMinimum === 'number') return exclusiveMinimum + 1;
  if (typeof maximum === 'number' && maximum < 1) return maximum;
  return 1;
}
