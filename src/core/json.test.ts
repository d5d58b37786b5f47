import assert from 'node:assert/strict';
import { test } from 'node:test';
import { own, parseJson } from './json.ts';

test('parseJson() takes JSON up to the depth limit and refuses one level more', () => {
  assert.deepEqual(parseJson('[[1]]', 2), [[1]]);
  assert.throws(() => parseJson('[[[1]]]', 2), RangeError);
});

test('parseJson() does not count brackets inside strings, whatever is escaped', () => {
  assert.deepEqual(parseJson('["[[[[\\"[[", "\\\\", "]"]', 1), ['[[[["[[', '\\', ']']);
  assert.throws(() => parseJson('["\\\\",[[1]]]', 2), RangeError);
});

test('parseJson() refuses a bomb of a million brackets without parsing it', () => {
  assert.throws(() => parseJson('['.repeat(1_000_000), 64), RangeError);
  assert.throws(() => parseJson('{"a":'.repeat(1_000_000), 64), RangeError);
});

test('parseJson() throws SyntaxError on what is not JSON', () => {
  for (const text of ['', '{', '"', '"\\', '[1,]', 'nul'])
    assert.throws(() => parseJson(text, 8), SyntaxError);
});

test('own() does not see what an object inherits', () => {
  assert.equal(own({ a: 1 }, 'a'), 1);
  assert.equal(own({}, 'constructor'), undefined);
  const hostile = parseJson('{"__proto__":{"polluted":true}}', 4) as Record<string, never>;
  assert.equal(own(hostile, 'polluted'), undefined);
});
