import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { AuditEntry } from '../../audit/entry.ts';
import type { Caller } from '../../core/caller.ts';
import type { Credentials } from '../../core/credentials.ts';
import { createLogger } from '../../core/log.ts';
import { Refusal } from '../../core/refusal.ts';
import { createKeyStore, type KeyStore } from '../../store/keys.ts';
import { createBuckets } from '../limits/bucket.ts';
import { type AuthenticatorDeps, createAuthenticator } from './authenticator.ts';
import type { AuthenticatorOptions } from './options.ts';

const KEYS: AuthenticatorOptions = { keys: true, oauth: [], certificates: false, publicUrl: null };
const log = createLogger({ levels: 'silent', write() {} });
const certificate = { fingerprint: 'ab'.repeat(32), name: 'ada', units: ['lab'], expiresAt: 4e12 };

async function keysFor(t: TestContext): Promise<{ keys: KeyStore; directory: string }> {
  const directory = await mkdtemp(join(tmpdir(), 'witbox-keys-'));
  t.after(() => rm(directory, { recursive: true, force: true }));
  return { keys: createKeyStore(directory), directory };
}

const sent = (headers: Credentials['headers'], more: Partial<Credentials> = {}): Credentials => ({
  headers,
  address: '192.0.2.1',
  certificate: null,
  encrypted: true,
  ...more,
});

function refusal(action: () => unknown): Refusal {
  try {
    action();
  } catch (error) {
    assert.ok(error instanceof Refusal);
    return error;
  }
  return assert.fail('It was let in');
}

async function withKeys(t: TestContext, options = KEYS, more: Partial<AuthenticatorDeps> = {}) {
  const { keys, directory } = await keysFor(t);
  const { text, key } = await keys.create({ name: 'ci', scopes: ['tools'], groups: ['builders'] });
  return { keys, directory, text, key, gate: createAuthenticator(options, { keys, log, ...more }) };
}

test('a key is taken from either header, and names its caller', async (t) => {
  const { gate, text, key } = await withKeys(t);
  const caller: Caller = {
    id: `key:ci:${key.id}`,
    kind: 'key',
    name: 'ci',
    scopes: ['tools'],
    groups: ['builders'],
    address: '192.0.2.1',
    expiresAt: null,
  };
  assert.deepEqual(gate.authenticate(sent({ authorization: `Bearer ${text}` })), caller);
  assert.deepEqual(gate.authenticate(sent({ authorization: `bearer  ${text}` })), caller);
  assert.deepEqual(gate.authenticate(sent({ 'x-api-key': text })), caller);
});

test('without authentication everybody is one caller, with the address they come from', async (t) => {
  const { gate } = await withKeys(t, { ...KEYS, keys: false });
  assert.equal(gate.required, false);
  const caller = gate.authenticate(sent({ authorization: 'Bearer whatever' })) as Caller;
  assert.deepEqual([caller.id, caller.kind, caller.address], ['anybody', 'anybody', '192.0.2.1']);
});

test('unknown, wrong, revoked and malformed credentials get the very same answer', async (t) => {
  const { gate, keys, text } = await withKeys(t);
  const revoked = (await keys.create({ name: 'gone' })).text;
  await keys.revoke('gone');
  const wrong = [
    revoked,
    `${text.slice(0, -1)}${text.endsWith('A') ? 'B' : 'A'}`,
    `wbx_${'0'.repeat(16)}_${'A'.repeat(43)}`,
    'wbx_x',
  ];
  const headers = [
    ...wrong.flatMap((one) => [{ authorization: `Bearer ${one}` }, { 'x-api-key': one }]),
    { authorization: 'Basic YTpi' },
    { authorization: `Bearer ${text} x` },
    { authorization: '' },
    { 'x-api-key': '' },
    { authorization: 'Bearer eyJhbGciOiJub25lIn0.e30.' },
  ];
  const answers = headers.map((one) => {
    try {
      const caller = gate.authenticate(sent(one));
      return caller instanceof Promise
        ? caller.then(
            () => assert.fail(),
            (error: Refusal) => error,
          )
        : assert.fail();
    } catch (error) {
      return error as Refusal;
    }
  });
  for (const answer of await Promise.all(answers)) {
    assert.ok(answer instanceof Refusal);
    assert.equal(answer.code, 'unauthenticated');
    assert.equal(answer.message, 'Authentication is needed: the credential is not accepted');
    assert.deepEqual(answer.headers, {
      'WWW-Authenticate':
        'Bearer realm="witbox", error="invalid_token", error_description="The credential is not accepted"',
    });
  }
});

test('nothing sent is told without an error, two credentials are refused', async (t) => {
  const { gate, text } = await withKeys(t);
  const none = refusal(() => gate.authenticate(sent({})));
  assert.deepEqual(none.headers, { 'WWW-Authenticate': 'Bearer realm="witbox"' });
  const two = refusal(() => gate.authenticate(sent({ authorization: `Bearer ${text}`, 'x-api-key': text })));
  assert.equal(two.code, 'too-many-credentials');
});

test('a key that expired is told so to whoever holds it, and no longer checks', async (t) => {
  let now = Date.parse('2030-01-01T00:00:00Z');
  const { gate, keys } = await withKeys(t, KEYS, { now: () => now });
  const { text } = await keys.create({ name: 'short', expiresAt: new Date(now + 1_000) });
  const caller = gate.authenticate(sent({ 'x-api-key': text })) as Caller;
  gate.check(caller);
  now += 1_000;
  assert.match(refusal(() => gate.check(caller)).message, /expired/);
  assert.match(refusal(() => gate.authenticate(sent({ 'x-api-key': text }))).message, /expired/);
});

test('a caller whose key was revoked or whose way was closed no longer checks', async (t) => {
  const { gate, keys, text } = await withKeys(t);
  const caller = gate.authenticate(sent({ 'x-api-key': text })) as Caller;
  gate.reconfigure({ ...KEYS, keys: false, certificates: true });
  assert.equal(refusal(() => gate.check(caller)).code, 'unauthenticated');
  gate.reconfigure(KEYS);
  gate.check(caller);
  await keys.revoke('ci');
  await keys.create({ name: 'ci' });
  assert.equal(refusal(() => gate.check(caller)).code, 'unauthenticated', 'another key of that name');
  gate.reconfigure({ ...KEYS, keys: false });
  const anybody = gate.authenticate(sent({})) as Caller;
  gate.check(anybody);
  gate.reconfigure(KEYS);
  assert.equal(refusal(() => gate.check(anybody)).code, 'unauthenticated');
});

test('a certificate names its caller where certificates are taken and no header speaks', async (t) => {
  const { gate, text } = await withKeys(t, { ...KEYS, certificates: true });
  const caller = gate.authenticate(sent({}, { certificate })) as Caller;
  assert.deepEqual(caller, {
    id: `certificate:${certificate.fingerprint}:ada`,
    kind: 'certificate',
    name: 'ada',
    scopes: [],
    groups: ['lab'],
    address: '192.0.2.1',
    expiresAt: certificate.expiresAt,
  });
  assert.equal((gate.authenticate(sent({ 'x-api-key': text }, { certificate })) as Caller).kind, 'key');
  refusal(() => gate.authenticate(sent({ 'x-api-key': 'wrong' }, { certificate })));
  refusal(() => gate.authenticate(sent({}, { certificate: { ...certificate, name: 'a\nb' } })));
  refusal(() => gate.authenticate(sent({}, { certificate: { ...certificate, expiresAt: 1 } })));
  gate.reconfigure(KEYS);
  refusal(() => gate.authenticate(sent({}, { certificate })));
});

test('failed attempts of an address run out, good credentials from it do not', async (t) => {
  const failures = createBuckets({ rate: 0.001, burst: 3 }, Date.now);
  const { gate, text } = await withKeys(t, KEYS, { failures });
  const attempt = (address: string) =>
    refusal(() => gate.authenticate(sent({ 'x-api-key': 'no' }, { address })));
  const codes = Array.from({ length: 5 }, () => attempt('192.0.2.7').code);
  assert.deepEqual(codes, [...Array(3).fill('unauthenticated'), ...Array(2).fill('too-many-failures')]);
  assert.match(attempt('192.0.2.7').headers['Retry-After'] ?? '', /^\d+$/);
  assert.equal(attempt('192.0.2.8').code, 'unauthenticated');
  gate.authenticate(sent({ 'x-api-key': text }, { address: '192.0.2.7' }));
});

test('failed attempts are seen by those who watch, and of a flood only some lines are written', async (t) => {
  const lines: AuditEntry[] = [];
  const denied: string[] = [];
  const { gate } = await withKeys(t, KEYS, {
    meter: { denied: (reason) => denied.push(reason) },
    audit: {
      check() {},
      record(entry) {
        lines.push(entry);
        return { durable: Promise.reject(new Error('the disk is full')) };
      },
    },
  });
  for (let count = 0; count < 100; count++) refusal(() => gate.authenticate(sent({ 'x-api-key': 'wbx_no' })));
  assert.equal(denied.length, 100);
  assert.ok(lines.length >= 5 && lines.length < 20);
  assert.deepEqual(
    [lines[0]?.kind, lines[0]?.action, lines[0]?.outcome, lines[0]?.address],
    ['decision', 'authenticate', 'unauthenticated', '192.0.2.1'],
  );
  assert.ok(!JSON.stringify(lines).includes('wbx_no'), 'never the credential');
});

test('credentials that others could read on the way are refused unless the operator says so', async (t) => {
  const { gate, text } = await withKeys(t);
  const plain = sent({ 'x-api-key': text }, { encrypted: false });
  assert.equal(refusal(() => gate.authenticate(plain)).code, 'plain-http');
  gate.reconfigure({ ...KEYS, insecurePlainHttp: true });
  assert.equal((gate.authenticate(plain) as Caller).name, 'ci');
});

test('a file of keys that cannot be read lets nobody in and tells nothing of it', async (t) => {
  const { gate, directory, text } = await withKeys(t);
  const caller = gate.authenticate(sent({ 'x-api-key': text })) as Caller;
  await writeFile(join(directory, 'keys.json'), '{');
  const answer = refusal(() => gate.authenticate(sent({ 'x-api-key': text })));
  assert.equal(answer.message, 'Credentials cannot be checked now: try again later');
  assert.equal(refusal(() => gate.check(caller)).code, 'authentication-unavailable');
});

test('settings that would prove nothing are refused, and change nothing', async (t) => {
  const { gate, text } = await withKeys(t);
  const issuer = {
    issuer: 'https://login.example.com',
    audience: [],
    scopes: [],
    groupsClaim: 'groups',
    algorithms: ['RS256'],
  };
  const publicUrl = 'https://mcp.example.com';
  for (const options of [
    { oauth: [issuer] },
    { oauth: [{ ...issuer, algorithms: ['none'] }], publicUrl },
    { oauth: [{ ...issuer, algorithms: ['HS256'] }], publicUrl },
    { oauth: [{ ...issuer, algorithms: [] }], publicUrl },
    { oauth: [{ ...issuer, issuer: 'http://login.example.com' }], publicUrl },
    { oauth: [{ ...issuer, issuer: 'https://login.example.com#x' }], publicUrl },
    { oauth: [{ ...issuer, jwks: 'http://10.0.0.1/keys' }], publicUrl },
    { oauth: [issuer, issuer], publicUrl },
    { oauth: [issuer], publicUrl: 'https://mcp.example.com/"x' },
    { oauth: [{ ...issuer, scopes: ['a"b'] }], publicUrl },
  ])
    assert.throws(() => gate.reconfigure({ ...KEYS, ...options }), { code: 'authentication-invalid' });
  gate.authenticate(sent({ 'x-api-key': text }));
});
