import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inputSchema, outputSchema, typeSchema } from './schema.ts';
import type { PrimitiveKind, ValType } from './type.ts';

const prim = (kind: PrimitiveKind): ValType => ({ kind });
const integer = (minimum: number, maximum: number) => ({ type: 'integer', minimum, maximum });
const u8 = integer(0, 255);

// One line per row of the table in README.md, "Types in JSON".
const rows: readonly (readonly [ValType, unknown])[] = [
  [prim('bool'), { type: 'boolean' }],
  [prim('string'), { type: 'string' }],
  [prim('char'), { type: 'string', minLength: 1, maxLength: 1 }],
  [prim('s8'), integer(-128, 127)],
  [prim('u32'), integer(0, 4294967295)],
  [
    prim('s64'),
    {
      anyOf: [
        integer(-9007199254740991, 9007199254740991),
        { type: 'string', pattern: '^(0|-?[1-9][0-9]{0,18})$', format: 'int64' },
      ],
    },
  ],
  [
    prim('u64'),
    {
      anyOf: [
        integer(0, 9007199254740991),
        { type: 'string', pattern: '^(0|[1-9][0-9]{0,19})$', format: 'uint64' },
      ],
    },
  ],
  [
    prim('f32'),
    {
      anyOf: [
        { type: 'number', minimum: -3.4028235e38, maximum: 3.4028235e38 },
        { enum: ['NaN', 'Infinity', '-Infinity'] },
      ],
    },
  ],
  [prim('f64'), { anyOf: [{ type: 'number' }, { enum: ['NaN', 'Infinity', '-Infinity'] }] }],
  [
    { kind: 'list', element: prim('bool') },
    { type: 'array', items: { type: 'boolean' } },
  ],
  [
    { kind: 'fixed-list', element: prim('u8'), length: 3 },
    { type: 'array', items: u8, minItems: 3, maxItems: 3 },
  ],
  [
    { kind: 'list', element: prim('u8') },
    {
      anyOf: [
        {
          type: 'string',
          contentEncoding: 'base64',
          pattern: '^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/][AQgw]==|[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=)?$',
        },
        { type: 'array', items: u8 },
      ],
    },
  ],
  [
    {
      kind: 'record',
      fields: [
        { name: 'a', type: prim('u8') },
        { name: 'b', type: { kind: 'option', some: prim('bool') } },
      ],
    },
    {
      type: 'object',
      properties: { a: u8, b: { anyOf: [{ type: 'boolean' }, { type: 'null' }] } },
      required: ['a'],
      additionalProperties: false,
    },
  ],
  [
    { kind: 'tuple', items: [prim('u8'), prim('bool')] },
    { type: 'array', prefixItems: [u8, { type: 'boolean' }], items: false, minItems: 2, maxItems: 2 },
  ],
  [
    {
      kind: 'variant',
      cases: [
        { name: 'none', type: null },
        { name: 'one', type: prim('u8') },
      ],
    },
    {
      oneOf: [
        {
          type: 'object',
          properties: { tag: { const: 'none' } },
          required: ['tag'],
          additionalProperties: false,
        },
        {
          type: 'object',
          properties: { tag: { const: 'one' }, val: u8 },
          required: ['tag', 'val'],
          additionalProperties: false,
        },
      ],
    },
  ],
  [
    { kind: 'enum', names: ['a', 'b'] },
    { type: 'string', enum: ['a', 'b'] },
  ],
  [
    { kind: 'flags', names: ['a', 'b'] },
    { type: 'array', items: { type: 'string', enum: ['a', 'b'] }, uniqueItems: true },
  ],
  [
    { kind: 'option', some: { kind: 'option', some: prim('u8') } },
    {
      anyOf: [
        {
          type: 'object',
          properties: { some: { anyOf: [u8, { type: 'null' }] } },
          required: ['some'],
          additionalProperties: false,
        },
        { type: 'null' },
      ],
    },
  ],
  [
    { kind: 'result', ok: prim('u8'), err: null },
    {
      oneOf: [
        { type: 'object', properties: { ok: u8 }, required: ['ok'], additionalProperties: false },
        {
          type: 'object',
          properties: { err: { type: 'null' } },
          required: ['err'],
          additionalProperties: false,
        },
      ],
    },
  ],
  [
    { kind: 'map', key: prim('string'), value: prim('u8') },
    { type: 'object', additionalProperties: u8 },
  ],
  [
    { kind: 'map', key: prim('u8'), value: prim('bool') },
    {
      type: 'array',
      items: {
        type: 'array',
        prefixItems: [u8, { type: 'boolean' }],
        items: false,
        minItems: 2,
        maxItems: 2,
      },
    },
  ],
  [
    { kind: 'own', resource: { slot: 0, name: 'counter' } },
    { type: 'string', description: 'Handle of a counter' },
  ],
];

for (const [type, schema] of rows) {
  test(`${JSON.stringify(type)} has the schema of its row`, () => assert.deepEqual(typeSchema(type), schema));
}

test('arguments are an object, and nothing given is no output schema', () => {
  const func = { params: [], result: null, async: false };
  assert.deepEqual(inputSchema(func), { type: 'object', properties: {}, additionalProperties: false });
  assert.equal(outputSchema(func), null);
  assert.equal(outputSchema({ ...func, result: { kind: 'result', ok: null, err: prim('u8') } }), null);
  assert.deepEqual(outputSchema({ ...func, result: { kind: 'result', ok: prim('u8'), err: null } }), u8);
});
