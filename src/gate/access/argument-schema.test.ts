import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileArgumentSchema } from './argument-schema.ts';

const fits = (schema: Record<string, unknown>, json: string): boolean =>
  compileArgumentSchema(schema)(JSON.parse(json)) === null;

test('a fault names the path', () => {
  const check = compileArgumentSchema({ properties: { url: { pattern: '^https://' } } });
  assert.equal(check({ url: 'https://a' }), null);
  const found = check({ url: 'http://a' });
  assert.equal(found?.path, '/url');
  assert.equal(found?.rule, 'pattern');
});

test('a limit of numbers is not passed by another form of a number', () => {
  const schema = { properties: { amount: { maximum: 100 } }, required: ['amount'] };
  assert.ok(fits(schema, '{"amount":100}'));
  assert.ok(fits(schema, '{"amount":1e2}'));
  assert.ok(!fits(schema, '{"amount":100.5}'));
  for (const amount of ['101', '1e3', '"1000000"', '"Infinity"', 'null', '[101]', '1e400', '-1e400'])
    assert.ok(!fits(schema, `{"amount":${amount}}`), amount);
  assert.ok(
    !fits({ properties: { amount: { minimum: 10 } } }, '{"amount":1e400}'),
    'would be written as null',
  );
  assert.ok(!fits({ properties: { a: {} } }, '{"a":{"deep":[1,-1e999]}}'));
});

test('of two equal keys the one that counts is the one that is checked', () => {
  const schema = { properties: { url: { pattern: '^https://' } }, required: ['url'] };
  assert.ok(!fits(schema, '{"url":"https://a","url":"file:///x"}'));
  assert.ok(fits(schema, '{"url":"file:///x","url":"https://a"}'), 'the last one is all that is left');
});

test('keys of the prototype are neither found nor taken for given', () => {
  const schema = { required: ['constructor'], properties: { constructor: { pattern: '^x$' } } };
  assert.ok(!fits(schema, '{}'));
  assert.ok(!fits(schema, '{"__proto__":{"constructor":"x"}}'));
  assert.ok(fits(schema, '{"constructor":"x"}'));
  const closed = { properties: { a: {} }, additionalProperties: false };
  assert.ok(!fits(closed, '{"__proto__":1}'));
  const named = { properties: JSON.parse('{"__proto__":{"const":1}}') as object };
  assert.ok(!fits(named, '{"__proto__":2}'));
  assert.ok(fits(named, '{"__proto__":1}'));
});

test('what is said of texts, lists and objects is not passed by other types', () => {
  assert.ok(!fits({ properties: { p: { pattern: '^a' } } }, '{"p":["b"]}'));
  assert.ok(!fits({ properties: { l: { maxItems: 1 } } }, '{"l":"AAAAAAAA"}'), 'bytes as base64');
  assert.ok(!fits({ properties: { o: { properties: { x: { const: 1 } } } } }, '{"o":[["x",2]]}'));
  assert.ok(fits({ properties: { p: { type: ['string', 'null'], pattern: '^a' } } }, '{"p":null}'));
});

test('negation keeps its meaning', () => {
  const schema = { properties: { host: { not: { pattern: 'internal' } } } };
  assert.ok(fits(schema, '{"host":"example.com"}'));
  assert.ok(!fits(schema, '{"host":"x.internal"}'));
  assert.ok(!fits(schema, '{"host":["x.internal"]}'), 'what cannot be looked at is not let through');
});

test('a rule that would check nothing is refused', () => {
  for (const schema of [
    { properties: { url: { patern: '^https://' } } },
    { properties: { url: { format: 'uri' } } },
    { $ref: '#/$defs/x', $defs: { x: {} } },
    { properties: { n: { maximum: '5' } } },
    { properties: { n: { pattern: '(' } } },
    { type: 'text' },
  ])
    assert.throws(() => compileArgumentSchema(schema), /its schema cannot be used/, JSON.stringify(schema));
});
