import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../../test/random-types.ts';
import { type Glob, globMatches, globMatchesAtOrAbove, globReachesBelow, literalPrefix } from './glob.ts';
import { parseStorageUri, pathSegments, pathToUri, uriToPath } from './storage-uri.ts';

const glob = (path: string): Glob => {
  const parsed = parseStorageUri(`fs://${path}`);
  assert.ok(typeof parsed === 'object', `${path}: ${String(parsed)}`);
  return parsed;
};
const matches = (pattern: string, path: string): boolean => globMatches(glob(pattern), pathSegments(path)!);

test('globs match as documented', () => {
  for (const [pattern, path, expected] of [
    ['/data/**', '/data', true],
    ['/data/**', '/data/a/b', true],
    ['/data/**', '/database', false],
    ['/data/**', '/', false],
    ['/data/*', '/data/a', true],
    ['/data/*', '/data', false],
    ['/data/*', '/data/a/b', false],
    ['/data/*', '/data/.hidden', true],
    ['/data/?.txt', '/data/a.txt', true],
    ['/data/?.txt', '/data/ab.txt', false],
    ['/data/?.txt', '/data/😀.txt', true],
    ['/**/secret', '/secret', true],
    ['/**/secret', '/a/b/secret', true],
    ['/a/**/b/*.c', '/a/x/b/y/b/z.c', true],
    ['/a/**/b/*.c', '/a/x/b/y/z.c', false],
    ['/**', '/', true],
    ['/', '/', true],
    ['/', '/a', false],
    ['/a//./b', '/a/b', true],
    ['/a%2Ab', '/a*b', true],
    ['/a%2Ab', '/axb', false],
    ['/a b', '/a b', true],
  ] as const) {
    assert.equal(matches(pattern, path), expected, `${pattern} ${path}`);
  }
});

test('a URI that could be read in two ways is refused', () => {
  for (const uri of [
    '',
    '/data',
    'file:///data',
    'fs://data/**',
    'fs://',
    'fs:///data/',
    'fs:///a/../b',
    'fs:///a/%2e%2e/b',
    'fs:///a**',
    'fs:///[ab]',
    'fs:///{a,b}',
    'fs:///a\\b',
    'fs:///a%2Fb',
    'fs:///a%00',
    'fs:///a%',
    'fs:///a%zz',
    'fs:///%ff',
    `fs:///${'a'.repeat(5000)}`,
    `fs://${'/a'.repeat(200)}`,
  ]) {
    assert.equal(typeof parseStorageUri(uri), 'string', uri);
  }
});

test('a request path that is not plain has no segments', () => {
  for (const path of ['', 'a', '/a/../b', '/..', '/a\0']) assert.equal(pathSegments(path), undefined, path);
  assert.deepEqual(pathSegments('//a/./b/'), ['a', 'b']);
});

test('pathToUri escapes so that the URI means that path alone', () => {
  for (const path of ['/', '/a b/ü', '/a*', '/?', '/[x]{y}', '/100%', '/%2A', '/back\\slash', '/new\nline']) {
    assert.equal(uriToPath(pathToUri(path)), path);
  }
  assert.equal(uriToPath('fs:///a/*'), undefined);
});

test('the literal prefix is the directory below which all matches lie', () => {
  assert.deepEqual(literalPrefix(glob('/a/b/*.txt')), { path: ['a', 'b'], exact: false });
  assert.deepEqual(literalPrefix(glob('/a/b')), { path: ['a', 'b'], exact: true });
  assert.deepEqual(literalPrefix(glob('/**')), { path: [], exact: false });
});

test('no pattern makes matching explode', () => {
  // A backtracking matcher would never come back from these.
  assert.ok(!matches(`/${'*a'.repeat(500)}b`, `/${'a'.repeat(4000)}`));
  assert.ok(!matches(`${'/**/a'.repeat(60)}/b`, '/a'.repeat(2000)));
});

test('matching agrees with a naive matcher on random patterns and paths', () => {
  const random = createRandom(42);
  const { below, pick } = random;
  const names = ['a', 'b', 'ab', 'ba', 'aab'];
  const segments = ['a', 'b', '*', '**', 'a*', '*b', '?', '?b', 'a?*', '*a*'];
  let positive = 0;
  for (let i = 0; i < 20_000; i += 1) {
    const pattern = Array.from({ length: below(5) }, () => pick(segments));
    const path = Array.from({ length: below(5) }, () => pick(names));
    const compiled = glob(`/${pattern.join('/')}`);
    const expected = naive(pattern, path);
    const context = `${pattern.join('/')} on ${path.join('/')}`;
    assert.equal(globMatches(compiled, path), expected, context);
    const above = path.some((_, n) => naive(pattern, path.slice(0, n))) || expected;
    assert.equal(globMatchesAtOrAbove(compiled, path), above, `above: ${context}`);
    if (expected) {
      positive += 1;
      for (let n = 0; n <= path.length; n += 1)
        assert.ok(globReachesBelow(compiled, path.slice(0, n)), `below: ${context}`);
    }
    if (!globReachesBelow(compiled, path))
      assert.ok(!naive(pattern, [...path, pick(names)]), `not below: ${context}`);
  }
  assert.ok(positive > 500, `only ${positive} of the cases matched`);
});

/** The definition, written as recursion. */
function naive(pattern: readonly string[], path: readonly string[]): boolean {
  const [first, ...rest] = pattern;
  if (first === undefined) return path.length === 0;
  if (first === '**') return naive(rest, path) || (path.length > 0 && naive(pattern, path.slice(1)));
  return path.length > 0 && naiveName(first, path[0]!) && naive(rest, path.slice(1));
}

function naiveName(pattern: string, name: string): boolean {
  if (pattern === '') return name === '';
  if (pattern[0] === '*')
    return naiveName(pattern.slice(1), name) || (name !== '' && naiveName(pattern, name.slice(1)));
  return (
    name !== '' &&
    (pattern[0] === '?' || pattern[0] === name[0]) &&
    naiveName(pattern.slice(1), name.slice(1))
  );
}
