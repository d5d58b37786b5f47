import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { headerAnnotationFaults, networkReference, schemaFault } from './schema.ts';

const NOW = { rootObject: true, revision: '2025-11-25' } as const;
const object = (properties: object) => ({ type: 'object', properties });

describe('a schema is not blamed for', () => {
  const right: Readonly<Record<string, object>> = {
    'a pattern that is slow to run': object({ a: { type: 'string', pattern: '^(a+)+$' } }),
    'a pattern in the old syntax': object({ a: { type: 'string', pattern: '^[\\w\\-]+$' } }),
    'a reference into the network': object({ a: { $ref: 'https://example.com/a.json' } }),
    'a dialect that it names': {
      $schema: 'http://json-schema.org/draft-04/schema#',
      ...object({ a: { type: 'number', minimum: 0, exclusiveMinimum: true } }),
    },
    'tuples of draft 7': {
      $schema: 'http://json-schema.org/draft-07/schema#',
      ...object({ a: { type: 'array', items: [{ type: 'string' }] } }),
    },
    'properties named like keywords': object({ pattern: { type: 'string' }, $ref: { type: 'string' } }),
    'data that looks like a schema': object({ a: { enum: [{ type: 'nonsense' }], default: { type: 5 } } }),
  };
  for (const [name, schema] of Object.entries(right))
    test(name, () => assert.equal(schemaFault(schema, NOW), null));
});

describe('a schema is blamed for', () => {
  const wrong: Readonly<Record<string, unknown>> = {
    'being none': 'string',
    'not being an object at its root': { type: 'string' },
    'an unknown type': object({ a: { type: 'text' } }),
    'a pattern that is none': object({ a: { type: 'string', pattern: '(' } }),
    'a list of required names that is none': { ...object({}), required: 'a' },
    'tuples where 2020-12 is the default': object({ a: { type: 'array', items: [{ type: 'string' }] } }),
  };
  for (const [name, schema] of Object.entries(wrong))
    test(name, () => assert.notEqual(schemaFault(schema, NOW), null));
});

test('tuples of draft 7 are fine before a default dialect was named', () => {
  const schema = object({ a: { type: 'array', items: [{ type: 'string' }] } });
  assert.equal(schemaFault(schema, { rootObject: true, revision: '2025-06-18' }), null);
});

test('x-mcp-header must be a unique token on a plain parameter that properties lead to', () => {
  const header = (name: unknown, type = 'string') => ({ type, 'x-mcp-header': name });
  assert.equal(
    headerAnnotationFaults(object({ a: header('Region'), b: object({ c: header('Zone') }) })),
    null,
  );
  for (const schema of [
    object({ a: header('') }),
    object({ a: header('two words') }),
    object({ a: header('Region'), b: header('region') }),
    object({ a: header('Region', 'number') }),
    object({ a: { type: 'array', items: header('Region') } }),
    { ...object({}), anyOf: [object({ a: header('Region') })] },
  ])
    assert.notEqual(headerAnnotationFaults(schema), null, JSON.stringify(schema));
});

test('only references into the network are network references', () => {
  assert.equal(networkReference(object({ a: { $ref: '#/$defs/a' } })), null);
  assert.equal(networkReference(object({ a: { $ref: 'https://example.com/a' } })), 'https://example.com/a');
});
