import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reachFault } from './schema-reach.ts';

test('references inside the schema are fine, also in circles', () => {
  const node = { type: 'object', properties: { next: { $ref: '#/$defs/node' }, value: { $ref: '#value' } } };
  const value = { $anchor: 'value', type: 'string', enum: [{ $ref: 'data, not a reference' }] };
  assert.equal(reachFault({ type: 'object', $defs: { node, value }, $ref: '#/$defs/node' }), null);
});

test('a reference that leads out is refused', () => {
  for (const $ref of ['https://example.com/x.json', '#/$defs/none', 'file:///etc/passwd']) {
    assert.match(reachFault({ type: 'object', properties: { a: { $ref } } }) ?? '', /leads out/);
  }
});

test('references that double at every step are refused, and found out quickly', () => {
  const $defs: Record<string, object> = { level40: {} };
  for (let level = 0; level < 40; level++) {
    const next = { $ref: `#/$defs/level${level + 1}` };
    $defs[`level${level}`] = { allOf: [next, { ...next }] };
  }
  assert.match(reachFault({ type: 'object', $defs, $ref: '#/$defs/level0' } as never) ?? '', /more than/);
});

test('a chain of references that never ends in sight is refused', () => {
  const $defs = Object.fromEntries(
    Array.from({ length: 10_000 }, (_, at) => [`d${at}`, { $ref: `#/$defs/d${at + 1}` }]),
  );
  assert.match(reachFault({ type: 'object', $defs, $ref: '#/$defs/d0' }) ?? '', /follow each other/);
});
