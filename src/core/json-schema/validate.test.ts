import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe as inWords } from './fault.ts';
import type { Schema } from './references.ts';
import { schemaFault } from './schema-fault.ts';
import { createValidator } from './validate.ts';

const verdict = (schema: unknown, value: unknown): string | null => {
  const found = createValidator(schema as Schema)(value);
  return found === null ? null : inWords(found);
};

test('a fault names the place and the rule', () => {
  const schema = { type: 'object', properties: { a: { type: 'array', items: { maximum: 3 } } } };
  assert.equal(verdict(schema, { a: [1, 9] }), '/a/1 must be at most 3');
  assert.equal(verdict({ required: ['b'] }, {}), 'the value must have the property "b"');
});

test('references stay inside the document', () => {
  const tree = {
    $defs: {
      node: { $anchor: 'node', type: 'object', properties: { next: { $ref: '#node' } }, required: ['v'] },
    },
    $ref: '#/$defs/node',
  };
  assert.equal(verdict(tree, { v: 1, next: { v: 2 } }), null);
  assert.equal(verdict(tree, { v: 1, next: {} }), '/next must have the property "v"');
  assert.match(verdict({ $ref: 'https://example.com/other.json' }, 1) ?? '', /not in the schema/);
});

test('keys of objects never reach a prototype', () => {
  const value = JSON.parse('{"__proto__":1,"constructor":2}');
  assert.match(verdict({ properties: {}, additionalProperties: false }, value) ?? '', /must not have/);
  assert.equal(verdict({ required: ['toString'] }, {}), 'the value must have the property "toString"');
});

test('a schema that refers to itself for ever is cut off', () => {
  assert.match(verdict({ $ref: '#' }, 1) ?? '', /too long/);
  const bomb = {
    $defs: {
      a: { anyOf: [{ $ref: '#/$defs/b' }, { $ref: '#/$defs/b' }] },
      b: { anyOf: [{ $ref: '#/$defs/a' }, { $ref: '#/$defs/a' }] },
    },
    $ref: '#/$defs/a',
  };
  assert.notEqual(verdict(bomb, 1), null);
});

test('patterns that would take for ever are ended, whatever they look like', () => {
  const text = 'a'.repeat(200);
  for (const pattern of [
    '(a+)+$b',
    '^(aa?)+$',
    '^(a|a)*$',
    '^(a+){50}$',
    '^(a+){0000000000001,}$',
    '^a*a*a*a*a*a*a*b',
    `^${'(a|a)'.repeat(100)}b`,
  ]) {
    assert.match(verdict({ pattern }, `${text}!`) ?? '', /takes too long/, pattern);
  }
  assert.match(verdict({ not: { pattern: '^(a+)+$' } }, `${text}!`) ?? '', /takes too long/);
  assert.equal(verdict({ pattern: '^[a-z]+(-[a-z0-9])?$' }, 'abc-d'), null);
  assert.equal(verdict({ pattern: '^([a-z]+[.-])*[a-z]+$' }, 'a.name-with.parts'), null);
  assert.match(verdict({ pattern: '^([a-z]+[.-])*[a-z]+$' }, 'a..b') ?? '', /must match/);
});

test('many looks at a large value end in time', () => {
  const items = Array.from({ length: 100_000 }, (_, index) => index);
  const rule = { uniqueItems: true };
  assert.match(verdict({ allOf: Array.from({ length: 10_000 }, () => rule) }, items) ?? '', /takes too long/);
  const names = Object.fromEntries(items.map((index) => [`k${index}`, 1]));
  const patternProperties = Object.fromEntries(items.slice(0, 10_000).map((index) => [`^x${index}`, {}]));
  assert.match(verdict({ patternProperties }, names) ?? '', /takes too long/);
});

test('long names and addresses are not copied for every part below them', () => {
  const parts = Array.from({ length: 15_000 }, () => ({}));
  const before = process.memoryUsage().heapUsed;
  const kept = createValidator({ properties: { ['x'.repeat(300_000)]: { anyOf: parts } } });
  assert.equal(kept({}), null);
  assert.ok(process.memoryUsage().heapUsed - before < 500 << 20);
  assert.throws(() => createValidator({ $id: `https://a/${'x'.repeat(300_000)}` }), /\$id is longer/);
  let deep: Schema = {};
  for (let index = 0; index < 50; index++) deep = { $id: `${'x'.repeat(500)}/`, not: deep };
  assert.throws(() => createValidator(deep), /\$id is longer/);
});

test('a reference by pointer finds parts with odd names, and never a prototype', () => {
  const schema = { $defs: { 'a/b~c': { type: 'string' }, yes: true } };
  assert.equal(verdict({ ...schema, $ref: '#/$defs/a~1b~0c' }, 'x'), null);
  assert.match(verdict({ ...schema, $ref: '#/$defs/a~1b~0c' }, 1) ?? '', /must be string/);
  assert.equal(verdict({ ...schema, $ref: '#/$defs/yes' }, 1), null);
  for (const $ref of ['#/constructor', '#/$defs/__proto__', '#/$defs/no'])
    assert.match(verdict({ ...schema, $ref }, 1) ?? '', /not in the schema/);
});

test('what is not a schema is told in words', () => {
  assert.match(schemaFault({ type: 'text' }) ?? '', /#\/type must be a JSON type/);
  assert.match(schemaFault({ properties: { a: 5 } }) ?? '', /#\/properties\/a is not a schema/);
  assert.match(schemaFault({ pattern: '(' }) ?? '', /not a regular expression/);
  let deep: Schema = {};
  for (let index = 0; index < 500; index++) deep = { not: deep };
  assert.match(schemaFault(deep) ?? '', /nested/);
  assert.equal(schemaFault({ type: ['string', 'null'], minLength: 1 }), null);
});

test('random schemas and values are judged as ajv judges them', () => {
  const random = createRandom(20261115);
  const ajv = new Ajv2020({ strict: false, validateFormats: false, logger: false });
  let accepted = 0;
  for (let round = 0; round < 1_500; round++) {
    const schema = randomSchema(random, 3);
    const judge = ajv.compile(schema as object);
    const ours = createValidator(schema);
    for (let tries = 0; tries < 6; tries++) {
      const value = randomValue(random, 3);
      const found = ours(value);
      assert.equal(
        found === null,
        judge(value),
        `${JSON.stringify(schema)} on ${JSON.stringify(value)}: ${found?.message}`,
      );
      if (found === null) accepted++;
    }
  }
  assert.ok(accepted > 1_000, `only ${accepted} accepted: the generator is too narrow`);
});

type Random = (below: number) => number;

function createRandom(seed: number): Random {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const NAMES = ['a', 'b', 'c'];

function randomValue(random: Random, depth: number): unknown {
  const scalars = [null, true, false, 0, 1, 2.5, -3, '', 'a', 'abc', 'bé'];
  if (depth === 0 || random(3) === 0) return scalars[random(scalars.length)];
  if (random(2) === 0) return Array.from({ length: random(4) }, () => randomValue(random, depth - 1));
  return Object.fromEntries(
    NAMES.filter(() => random(2) === 0).map((name) => [name, randomValue(random, depth - 1)]),
  );
}

function randomSchema(random: Random, depth: number): Schema {
  const sub = () => randomSchema(random, depth - 1);
  const types = ['null', 'boolean', 'object', 'array', 'number', 'string', 'integer'];
  const leaves: (() => Record<string, unknown>)[] = [
    () => ({}),
    () => ({ type: types[random(types.length)] }),
    () => ({ type: [types[random(4)], types[4 + random(3)]] }),
    () => ({ enum: [randomValue(random, 1), randomValue(random, 1)] }),
    () => ({ const: randomValue(random, 1) }),
    () => ({ minimum: random(3), exclusiveMaximum: 3 }),
    () => ({ multipleOf: 0.5 }),
    () => ({ minLength: random(3), maxLength: 2 }),
    () => ({ pattern: '^a' }),
    () => ({ required: [NAMES[random(3)]] }),
    () => ({ minItems: 1, maxItems: 2 }),
    () => ({ uniqueItems: true }),
    () => ({ maxProperties: 1 }),
    () => ({ dependentRequired: { a: ['b'] } }),
    () => ({ propertyNames: { pattern: '^[ab]' } }),
  ];
  const branches: (() => Record<string, unknown>)[] = [
    () => ({ properties: { a: sub(), b: sub() }, additionalProperties: random(2) === 0 ? false : sub() }),
    () => ({
      properties: { a: sub() },
      unevaluatedProperties: false,
      anyOf: [sub(), { properties: { b: sub() } }],
    }),
    () => ({ patternProperties: { '^[ab]': sub() } }),
    () => ({ prefixItems: [sub()], items: sub() }),
    () => ({ prefixItems: [sub()], unevaluatedItems: false }),
    () => ({ contains: sub(), minContains: random(2), maxContains: 2 }),
    () => ({ allOf: [sub(), sub()] }),
    () => ({ anyOf: [sub(), sub()] }),
    () => ({ oneOf: [sub(), sub()] }),
    () => ({ not: sub() }),
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    () => ({ if: sub(), then: sub(), else: sub() }),
    () => ({ dependentSchemas: { a: sub() } }),
    () => ({ $defs: { x: sub() }, allOf: [sub()] }),
  ];
  if (depth > 0 && random(10) === 0) return random(2) === 0;
  const from = depth > 0 && random(3) > 0 ? branches : leaves;
  return { ...leaves[random(leaves.length)]!(), ...from[random(from.length)]!() } as Schema;
}
