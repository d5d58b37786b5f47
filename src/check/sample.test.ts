import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sampleArguments } from './sample.ts';
import { valueFault } from './schema.ts';

const object = (properties: object, required = Object.keys(properties)) => ({
  type: 'object',
  properties,
  required,
});

describe('sample arguments fit', () => {
  const schemas: Readonly<Record<string, object>> = {
    'no parameters': { type: 'object' },
    'only what is required': object({ a: { type: 'string' }, b: { type: 'number' } }, ['a']),
    'bounds of numbers': object({
      a: { type: 'integer', minimum: 5 },
      b: { type: 'number', exclusiveMinimum: 2 },
      c: { type: 'number', maximum: -3 },
      d: { type: 'integer', exclusiveMaximum: 0 },
      e: { type: 'integer', multipleOf: 7 },
      f: { type: 'integer', minimum: 3, multipleOf: 7 },
      g: { type: 'integer', minimum: 0.5 },
    }),
    'lengths and formats': object({
      a: { type: 'string', minLength: 5 },
      b: { type: 'string', maxLength: 0 },
      c: { type: 'string', format: 'uri' },
      d: { type: 'string', format: 'date-time' },
    }),
    'constants, enums, defaults, examples': object({
      a: { const: 5 },
      b: { enum: ['x', 'y'] },
      c: { type: 'string', default: 'd' },
      d: { type: 'integer', examples: [9] },
    }),
    'nested objects and arrays': object({
      a: object({ b: object({ c: { type: 'boolean' } }) }),
      d: { type: 'array', items: { type: 'string' }, minItems: 2 },
      e: { type: 'array', items: { type: 'string' } },
    }),
    'choices and references': {
      ...object({ a: { anyOf: [{ type: 'null' }, { type: 'string' }] }, b: { $ref: '#/$defs/size' } }),
      $defs: { size: { type: 'integer', minimum: 3 } },
    },
    'several types': object({ a: { type: ['string', 'null'] }, b: { type: ['null', 'integer'] } }),
  };
  for (const [name, schema] of Object.entries(schemas)) {
    test(name, () => {
      const made = sampleArguments(schema);
      assert.notEqual(made, null);
      assert.equal(valueFault(schema, made), null, JSON.stringify(made));
    });
  }
});

describe('sample arguments give up on', () => {
  const schemas: Readonly<Record<string, unknown>> = {
    'a pattern': object({ a: { type: 'string', pattern: '^[0-9]{17}$' } }),
    'a required property without a schema': { type: 'object', required: ['a'] },
    'an array that must be huge': object({ a: { type: 'array', minItems: 1_000_000, items: {} } }),
    'a schema that refers to itself': { $ref: '#' },
    'no object': { type: 'string' },
    nothing: undefined,
  };
  for (const [name, schema] of Object.entries(schemas)) {
    test(name, () => assert.equal(sampleArguments(schema), null));
  }
});

test('names from a schema do not reach prototypes', () => {
  const made = sampleArguments(
    JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"}},"required":["__proto__"]}'),
  );
  assert.ok(made !== null && Object.hasOwn(made, '__proto__'));
  assert.equal(Object.getPrototypeOf(made), Object.prototype);
});
