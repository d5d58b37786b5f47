import assert from 'node:assert/strict';
import { test } from 'node:test';
import { wrappedSchema, wrapsOutput } from './structured.ts';

const tool = (outputSchema?: Record<string, never>) => ({
  name: 'x',
  inputSchema: {},
  ...(outputSchema && { outputSchema }),
});

test('only schemas of objects stay as they are', () => {
  assert.equal(wrapsOutput(tool({ type: 'object' } as never)), false);
  assert.equal(
    wrapsOutput(tool({ oneOf: [] } as never), { tag: 'a' }),
    true,
    'the schema decides, not the value',
  );
  assert.equal(wrapsOutput(tool(), { a: 1 }), false);
  assert.equal(wrapsOutput(tool(), [1]), true);
  assert.equal(wrapsOutput(undefined, null), true);
});

test('definitions move to the root, so that references keep their meaning', () => {
  const schema = {
    $schema: 's',
    type: 'array',
    items: { $ref: '#/$defs/a' },
    $defs: { a: { type: 'string' } },
  };
  assert.deepEqual(wrappedSchema(schema), {
    $schema: 's',
    type: 'object',
    properties: { result: { type: 'array', items: { $ref: '#/$defs/a' } } },
    required: ['result'],
    $defs: { a: { type: 'string' } },
  });
});

test('a schema that refers to its own root cannot be wrapped', () => {
  assert.equal(wrappedSchema({ type: 'array', items: { $ref: '#' } }), null);
  assert.equal(wrappedSchema({ anyOf: [{ $ref: '#/anyOf/1' }, { type: 'null' }] }), null);
});
