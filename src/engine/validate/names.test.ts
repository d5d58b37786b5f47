import assert from 'node:assert/strict';
import { it } from 'node:test';
import { isLabel, parseExternName } from './names.ts';
import { isCanonicalVersion, isSemver } from './semver.ts';

it('isLabel() accepts words and acronyms joined by hyphens', () => {
  for (const name of ['a', 'A', 'a-b-c', 'A-B-C', 'a1-2-3', 'is-XML', 'a11-w0rds', 'm1x3d-4CR0NYMS', 'a-0']) {
    assert.ok(isLabel(name), name);
  }
});

it('isLabel() refuses mixed case, empty parts, leading digits and other characters', () => {
  for (const name of [
    '',
    '-',
    'a-',
    '-a',
    'a--b',
    'aB',
    'Ab',
    '1',
    '1-a',
    'a_b',
    'a b',
    'ä',
    'a-bC',
    'a\n',
  ]) {
    assert.ok(!isLabel(name), JSON.stringify(name));
  }
});

it('isLabel() needs linear time for a long name of digits', () => {
  assert.ok(!isLabel(`a${'-1'.repeat(40_000)}!`));
  assert.ok(isLabel(`a${'-1'.repeat(40_000)}`));
});

it('parseExternName() tells the kinds of names', () => {
  const kinds = [
    ['a-b', 'label'],
    ['[constructor]r', 'constructor'],
    ['[method]r.m', 'method'],
    ['[static]r.m', 'static'],
    ['wasi:http/types', 'interface'],
    ['wasi:http/types@0.2.0-rc.1+build', 'interface'],
    ['unlocked-dep=<a:b>', 'dependency'],
    ['unlocked-dep=<a:b/c@*>', 'dependency'],
    ['unlocked-dep=<a:b@{>=1.2.3 <2.0.0}>', 'dependency'],
    ['locked-dep=<a:b@1.2.3>,integrity=<sha256-AAAA>', 'dependency'],
    ['url=<https://example.com/x>', 'url'],
    ['integrity=<sha512-abc=>', 'hash'],
  ] as const;
  for (const [name, kind] of kinds) assert.equal(parseExternName(name)?.kind, kind, name);
});

it('parseExternName() refuses what the grammar has not', () => {
  const names = [
    '',
    'aB',
    '[foo]a',
    '[method]a',
    '[method]a.b.c',
    '[static].a',
    '[constructor]',
    '[constructor]a.b',
  ];
  names.push('A:b/c', 'a:B/c', 'a:b', 'a:b:c/d', 'a:b/c/d', 'a:b/aB', ':/', 'wasi/http', '[', '[method');
  names.push('unlocked-dep=<a:b@{1.0}>', 'locked-dep=<a:b@1>', 'url=<a<b>', 'url=x', 'integrity=<md5-aa>');
  names.push('integrity=<>', 'other=<a:b>', 'locked-dep=<a:b>,x', '=');
  for (const name of names) assert.equal(parseExternName(name), null, name);
});

it('parseExternName() gives clashing names one key', () => {
  const key = (name: string) => parseExternName(name)?.key;
  assert.equal(key('foo-BAR'), key('FOO-bar'));
  assert.equal(key('[method]a.b'), key('[static]A.B'));
  assert.equal(key('[method]a.a'), key('a'));
  assert.notEqual(key('[constructor]a'), key('a'));
  assert.notEqual(key('[method]a.b'), key('[method]b.a'));
  assert.notEqual(key('a:b/c'), key('a:b/C'));
});

it('isSemver() and isCanonicalVersion() follow the specification of versions', () => {
  for (const text of ['0.0.0', '1.2.3', '1.0.0-a.1', '1.0.0-0a', '1.0.0+001', '1.0.0--'])
    assert.ok(isSemver(text), text);
  for (const text of [
    '',
    '1',
    '1.2',
    '01.0.0',
    '1.0.0-01',
    '1.0.0-',
    '1.0.0+',
    '1.0.0-a..b',
    'v1.0.0',
    `1.0.${'0'.repeat(300)}`,
  ]) {
    assert.ok(!isSemver(text), text);
  }
  for (const text of ['1', '12', '0.2', '0.0.3', '0.0.0']) assert.ok(isCanonicalVersion(text), text);
  for (const text of ['0', '1.0', '0.0', '0.2.1', '01']) assert.ok(!isCanonicalVersion(text), text);
});
