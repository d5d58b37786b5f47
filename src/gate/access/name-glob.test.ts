import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileNameGlob, compileNameGlobs } from './name-glob.ts';

test('globs match whole names, case by case', () => {
  const cases: [string, string, boolean][] = [
    ['read', 'read', true],
    ['read', 'read2', false],
    ['read', 'Read', false],
    ['*', '', true],
    ['*', 'a/b\nc', true],
    ['a*', 'a', true],
    ['*a', 'ba', true],
    ['*a', 'ab', false],
    ['a*b*c', 'aXbYc', true],
    ['a*b*c', 'acb', false],
    ['a**b', 'ab', true],
    ['?', '', false],
    ['?', 'a', true],
    ['?', '😀', true],
    ['?', 'ab', false],
    ['a?*', 'a', false],
    ['*?', 'a', true],
    ['a.c', 'abc', false],
    ['[ab]', 'a', false],
    ['[ab]', '[ab]', true],
    ['a+(b)$', 'a+(b)$', true],
    ['\\*', '\\x', true],
    ['*.delete', 'files.delete', true],
    ['a*a', 'a', false],
    ['*ab*', 'aab', true],
    ['*aab', 'aaab', true],
  ];
  for (const [pattern, name, expected] of cases)
    assert.equal(compileNameGlob(pattern)(name), expected, `${pattern} on ${JSON.stringify(name)}`);
});

test('no pattern takes for ever', () => {
  const glob = compileNameGlob(`${'a*'.repeat(500)}b`);
  assert.equal(glob('a'.repeat(10_000)), false);
});

test('empty and endless patterns are refused, and no pattern matches nothing', () => {
  assert.throws(() => compileNameGlob(''));
  assert.throws(() => compileNameGlob('x'.repeat(2_000)));
  assert.equal(compileNameGlobs([])(''), false);
});
