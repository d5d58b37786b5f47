import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRedactor, redact } from './redact.ts';

const JWT = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhIn0.c2lnbmF0dXJl';

test('properties with the names of secrets lose their values, however the names are written', () => {
  const names = [
    'Authorization',
    'set-cookie',
    'x-api-key',
    'apiKey',
    'API_KEY',
    'client_secret',
    'accessToken',
  ];
  for (const name of [...names, 'password', 'dbPasswd', 'privateKey', 'AWS_SECRET_ACCESS_KEY'])
    assert.deepEqual(redact({ a: [{ [name]: 'canary' }] }), { a: [{ [name]: '[redacted]' }] });
});

test('names that hold no secret keep their values', () => {
  const value = {
    progressToken: 7,
    maxTokens: 12,
    key: 'ci',
    monkey: 'x',
    token: null,
    hasSecret: true,
    n: 2n,
  };
  assert.deepEqual(redact(value), { ...value, n: '2' });
});

test('further names can be given', () => {
  assert.deepEqual(redact({ 'Iban-Number': 'DE1', other: 'x' }, ['ibanNumber']), {
    'Iban-Number': '[redacted]',
    other: 'x',
  });
});

test('what has the form of a credential is taken out of texts', () => {
  const cases = [
    `sent Authorization: Bearer canary.canary to x`,
    'bearer canarycanary',
    'Basic Y2FuYXJ5Y2FuYXJ5',
    `token was ${JWT}, sadly`,
    'wbx_canary-canary_canary',
    'https://user:canary@example.com/a',
    'postgres://me:can@ary@db/x',
    'https://example.com/?a=1&appid=canary&b=2',
    'https://example.com/cb?code=canary',
    'GET /?access_token=canary',
    'API_KEY=canary\nHOME=/',
    '{"cookie":"sid=canary; b=c"}',
    '-----BEGIN RSA PRIVATE KEY-----\ncanary\n-----END RSA PRIVATE KEY-----',
    '-----BEGIN PRIVATE KEY-----\ncanary and cut',
    'ghp_canarycanarycanarycanary',
  ];
  for (const text of cases) {
    const left = redact(text);
    assert.match(String(left), /\[redacted/, text);
    assert.doesNotMatch(String(left), /canary|Y2FuYXJ5|can@ary|c2lnbmF0dXJl/, text);
  }
});

test('texts without credentials stay as they are', () => {
  const texts = [
    'Denied: secret:API_KEY is not granted',
    'http://127.0.0.1:8080/mcp?page=2',
    'the basic idea of a token is a word',
    'mail me@example.com about https://example.com/x?key',
    'Cannot find tool "tokenize"',
  ];
  for (const text of texts) assert.equal(redact(text), text);
});

test('a value that was added leaves in no text, whatever stands around it and however it is encoded', () => {
  const secret = 'pä ss/w+"rd\\7\n!';
  const redactor = createRedactor();
  redactor.add(secret);
  const written = [
    secret,
    `before${secret}after`,
    JSON.stringify({ a: secret }),
    encodeURIComponent(secret),
    new URLSearchParams({ a: secret }).toString(),
    Buffer.from(secret).toString('hex'),
    ...['', 'u', 'us', 'use', 'user:'].flatMap((before) => [
      Buffer.from(`${before}${secret}`).toString('base64'),
      Buffer.from(`${before}${secret} and more`).toString('base64url'),
    ]),
  ];
  for (const text of written) assert.match(redactor.text(text), /\[redacted\]/, text);
  const value = redactor.value({ [secret]: new Error(`no ${secret}`), m: new Map(), b: Buffer.from(secret) });
  assert.doesNotMatch(JSON.stringify(value), /pä ss/);
});

test('of two values where one begins like the other, nothing is left', () => {
  const redactor = createRedactor();
  redactor.add('canary');
  redactor.add('canary-two');
  assert.equal(redactor.text('x canary-two y canary z'), 'x [redacted] y [redacted] z');
});

test('the beginning of a text never ends with half a secret', () => {
  const redactor = createRedactor();
  redactor.add('canary-canary');
  assert.equal(redactor.head('12345canary-canary', 10), '12345');
  assert.equal(redactor.head('12345canary-canary', 18), '12345[redacted]');
  assert.equal(redactor.head('1234567890canary-canary', 10), '1234567890');
});

test('nothing that is passed makes it throw', () => {
  const cycle: Record<string, unknown> = { ['__proto__']: 1 };
  cycle.self = cycle;
  const bad = {
    get x(): never {
      throw new Error('no');
    },
  };
  let deep: unknown = 1;
  for (let i = 0; i < 1000; i++) deep = { deep };
  assert.doesNotThrow(() =>
    JSON.stringify(redact([cycle, bad, deep, new Date(0), undefined, Symbol('s'), () => 1])),
  );
});

test('a hostile text of a megabyte is read once', () => {
  const megabyte = 1 << 20;
  const pieces = [
    'eyJ',
    'eyJ-',
    'eyJ.',
    '://',
    '://a@',
    'bearer ',
    'token=',
    'a_token',
    '-----BEGIN PRIVATE KEY-----',
  ];
  for (const piece of [...pieces, 'x'])
    assert.equal(typeof redact(piece.repeat(megabyte / piece.length)), 'string');
});
