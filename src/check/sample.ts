// Makes arguments that fit a tool's own input schema, so that a server can be called without fixtures. Deliberately
// modest: what it cannot satisfy it gives up on (null), and the check that wanted to call says so.

import { isObject, type JsonObject } from './message.ts';

const MAX_DEPTH = 8;

/** Smallest plausible arguments: required properties only. */
export function sampleArguments(schema: unknown): JsonObject | null {
  const value = createSampler(schema)(schema, 0);
  return isObject(value) ? value : null;
}

type Sample = (schema: unknown, depth: number) => unknown;

function createSampler(root: unknown): Sample {
  function sample(schema: unknown, depth: number): unknown {
    if (schema === true) return {};
    if (!isObject(schema) || depth > MAX_DEPTH) return undefined;
    if (typeof schema.$ref === 'string') return sample(lookUp(root, schema.$ref), depth + 1);
    return sampleOf(schema, depth, sample);
  }
  return sample;
}

/** What a reference within the document points at. */
function lookUp(root: unknown, reference: string): unknown {
  if (!reference.startsWith('#/')) return undefined;
  let at: unknown = root;
  for (const step of reference.slice(2).split('/')) {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~');
    if (!isObject(at) || !Object.hasOwn(at, key)) return undefined;
    at = at[key];
  }
  return at;
}

function sampleOf(schema: JsonObject, depth: number, sample: Sample): unknown {
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
      return sampleObject(schema, depth, sample);
    case 'array':
      return sampleArray(schema, depth, sample);
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
      return isObject(schema.properties) ? sampleObject(schema, depth, sample) : undefined;
  }
}

function sampleObject(schema: JsonObject, depth: number, sample: Sample): JsonObject | undefined {
  const properties = isObject(schema.properties) ? schema.properties : {};
  const required = Array.isArray(schema.required) ? schema.required : [];
  const entries: [string, unknown][] = [];
  for (const name of required) {
    if (typeof name !== 'string') return undefined;
    const value = sample(Object.hasOwn(properties, name) ? properties[name] : undefined, depth + 1);
    if (value === undefined) return undefined;
    entries.push([name, value]);
  }
  return Object.fromEntries(entries);
}

function sampleArray(schema: JsonObject, depth: number, sample: Sample): unknown[] | undefined {
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
  const most = typeof schema.maxLength === 'number' ? schema.maxLength : 1;
  return least > 10_000 ? undefined : 'a'.repeat(Math.max(least, Math.min(1, most)));
}

/** A number that keeps the bounds, 1 if that does. */
function sampleNumber(schema: JsonObject): number | undefined {
  const bound = (key: string, other: number) => (typeof schema[key] === 'number' ? schema[key] : other);
  const isWhole = schema.type !== 'number' && !(Array.isArray(schema.type) && schema.type.includes('number'));
  const step = bound('multipleOf', isWhole ? 1 : 0);
  const least = bound('minimum', -Infinity);
  const above = bound('exclusiveMinimum', -Infinity);
  const most = bound('maximum', Infinity);
  const below = bound('exclusiveMaximum', Infinity);
  const [low, high] = [Math.max(least, above), Math.min(most, below)];
  const up = (value: number) => (step > 0 ? Math.ceil(value / step) * step : value);
  const down = (value: number) => (step > 0 ? Math.floor(value / step) * step : value);
  const next = step > 0 ? step : 1;
  const candidates = [up(1), up(low), up(low) + next, down(high), down(high) - next, up((low + high) / 2)];
  return candidates.find((value) => value >= least && value > above && value <= most && value < below);
}
