// The published schema against the parser, judged by ajv: random documents are taken by both or by neither. What JSON
// Schema cannot say (ranges of sizes as text, sections that need each other) is left out of the documents.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { Json, JsonObject } from '../core/json.ts';
import { readDocument } from '../policy/document.ts';
import type { Node } from '../policy/yaml.ts';
import { DOCUMENT } from './config.ts';
import { configSchema } from './json-schema.ts';
import { createReading } from './reading.ts';

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, strictTypes: false });
const validate = ajv.compile(configSchema());
const published = resolve(import.meta.dirname, '../../schema/witbox.schema.json');

test('the published schema is the one that the parser has', () => {
  assert.deepEqual(JSON.parse(readFileSync(published, 'utf8')), configSchema(), 'run "npm run schema"');
});

test('every key of the schema says what it is for', () => {
  const look = (schema: JsonObject, path: string): void => {
    for (const [key, inner] of Object.entries((schema.properties ?? {}) as Record<string, JsonObject>)) {
      const where = `${path}.${key}`;
      if (!where.includes('secrets.key')) assert.ok(inner.description, where);
      look(inner, where);
      if (inner.items) look(inner.items as JsonObject, where);
    }
  };
  look(configSchema(), '');
});

/** Reads by shape alone, without what sections need of each other. */
function parses(document: Json): boolean {
  const text = readDocument(JSON.stringify(document), 'random.yaml', 'config-invalid');
  const reading = createReading(text, '/');
  reading.root.attempt(() => DOCUMENT.read(text.yaml.contents as Node | null, reading.root));
  return reading.problems.length === 0;
}

const POOL: readonly Json[] = [
  ...[true, false, null, 0, 1, 7, 1.5, -1, 8080, 70_000, 1_048_576, 1e12],
  ...['', 'none', 'http', 'sse', '*', 'local', 'anybody', 'key:ci-*', 'group:', 'scope:x', 'user:x'],
  ...['64Mi', '1Mi', '1.5Mi', '1 Mi', '30s', '1h', '1048576', '50/s', '0/s', '0.0/m', '1.5/m', '5/y', 'x/s'],
  ...[
    '127.0.0.1',
    '10.0.0.0/8',
    'mcp.example.com',
    'a b',
    'https://a.example',
    'http://localhost:1/x',
    'http://a.example/',
  ],
  ...['info', 'info,cell=trace', 'loud', 'RS256', 'HS256', 'digests', 'redacted', 'stop', 'loopback', 'any'],
  ...['caller', 'all', 'line\nbreak', 'NAME_1', '1NAME', '\u0007', 'x'.repeat(2_049)],
  ...[[], {}, [[]], [{}], ['x'], { x: 1 }],
];

const fitting = new Map<string, readonly Json[]>();

function fits(schema: JsonObject): readonly Json[] {
  const key = JSON.stringify(schema);
  let found = fitting.get(key);
  if (found === undefined) {
    const check: ValidateFunction = ajv.compile(schema);
    found = POOL.filter((one) => check(one));
    fitting.set(key, found);
  }
  return found;
}

function createRandom(seed: number) {
  let state = seed;
  const next = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  const pick = <T>(from: readonly T[]): T => from[Math.floor(next() * from.length)]!;
  return { next, pick };
}

function randomValue(schema: JsonObject, random: ReturnType<typeof createRandom>, wild: number): Json {
  const { next, pick } = random;
  if (next() < wild) return pick(POOL);
  const options = schema.anyOf as readonly JsonObject[] | undefined;
  if (options) return randomValue(pick(options), random, wild);
  if (schema.properties) {
    const must = (schema.required ?? []) as readonly string[];
    const least = (schema.minProperties as number | undefined) ?? 0;
    const all = Object.entries(schema.properties as Record<string, JsonObject>);
    const chosen = least > 0 ? [pick(all)] : all.filter(([key]) => must.includes(key) || next() < 0.3);
    const entries = chosen.map(([key, inner]) => [key, randomValue(inner, random, wild)] as const);
    return Object.fromEntries(next() < wild ? [...entries, [pick(['x', 'rat', 'key']), 1]] : entries);
  }
  if (schema.items) {
    return Array.from({ length: Math.floor(next() * 3) + ((schema.minItems as number) ?? 0) }, () =>
      randomValue(schema.items as JsonObject, random, wild),
    );
  }
  const known = fits(schema);
  return known.length === 0 ? pick(POOL) : pick(known);
}

test('random documents are taken by the schema and by the parser, or by neither', () => {
  const random = createRandom(20_261_116);
  const counts = { taken: 0, refused: 0 };
  for (let i = 0; i < 1_500; i++) {
    const document = randomValue(configSchema(), random, i % 3 === 0 ? 0 : 0.06);
    const bySchema = validate(document);
    assert.equal(
      parses(document),
      bySchema,
      `${JSON.stringify(document)}\n${JSON.stringify(validate.errors)}`,
    );
    counts[bySchema ? 'taken' : 'refused']++;
  }
  assert.ok(counts.taken > 300 && counts.refused > 300, JSON.stringify(counts));
});
