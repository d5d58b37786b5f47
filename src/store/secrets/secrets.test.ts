import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { createRedactor } from '../../core/redact.ts';
import type { SecretKeyOptions } from '../../core/secret-key-options.ts';
import { createStore, type Store } from '../store.ts';
import { keySource } from './key-source.ts';
import { createSecrets, type Secrets } from './secrets.ts';

const KEY = Buffer.alloc(32, 7).toString('base64');

interface Place {
  readonly dir: string;
  readonly store: Store;
  open(env?: Record<string, string>, options?: SecretKeyOptions | null): Secrets;
}

async function place(t: TestContext, ...ids: string[]): Promise<Place> {
  const dir = mkdtempSync(join(tmpdir(), 'witbox-secrets-'));
  t.after(() => rmSync(dir, { recursive: true, force: true }));
  const store = createStore(dir);
  for (const id of ids) await load(store, id);
  return {
    dir,
    store,
    open: (env = {}, options = null) =>
      createSecrets({
        store: createStore(dir),
        key: keySource(options, { env, dataDir: dir }),
        redactor: createRedactor(),
      }),
  };
}

const load = (store: Store, id: string) =>
  store.load({ uri: `file:///${id}.wasm`, name: `${id}.wasm`, bytes: Buffer.from(id) });

const valuesOf = async (secrets: Secrets, id: string) => Object.fromEntries(await secrets.of(id));

test('what is set is given to its component alone, and seen by another process from its next look on', async (t) => {
  const { open } = await place(t, 'weather', 'notes');
  const [server, command] = [open(), open()];
  assert.deepEqual(await valuesOf(server, 'weather'), {});
  await command.set('weather', 'API_KEY', 'canary-1');
  assert.deepEqual(await valuesOf(server, 'weather'), { API_KEY: 'canary-1' });
  assert.deepEqual(await valuesOf(server, 'notes'), {});
  await command.set('weather', 'API_KEY', 'canary-2');
  assert.deepEqual(await valuesOf(server, 'weather'), { API_KEY: 'canary-2' });
  await command.delete('weather', 'API_KEY');
  assert.deepEqual(await valuesOf(server, 'weather'), {});
  await assert.rejects(command.delete('weather', 'API_KEY'), { code: 'secret-unknown' });
});

test('names and dates are listed without a key, values never', async (t) => {
  const { open } = await place(t, 'weather', 'notes');
  await open().set('weather', 'B', 'canary');
  await open().set('weather', 'A', 'canary');
  await open().set('notes', 'C', 'canary');
  const listed = open({}, { environment: 'NOT_SET' }).list();
  assert.deepEqual(
    listed.map(({ component, key }) => `${component}.${key}`),
    ['notes.C', 'weather.A', 'weather.B'],
  );
  assert.doesNotMatch(JSON.stringify(listed), /canary/);
  assert.equal(open().list('notes').length, 1);
  assert.throws(() => open().list('nobody'), { code: 'component-unknown' });
});

test('nothing at rest holds the value, and nobody else may read the files', async (t) => {
  const { dir, open } = await place(t, 'weather');
  await open().set('weather', 'API_KEY', 'canary-value');
  for (const entry of readdirSync(dir, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = join(entry.parentPath, entry.name);
    const text = readFileSync(file, 'latin1');
    assert.ok(
      !text.includes('canary-value') && !text.includes(Buffer.from('canary-value').toString('base64')),
    );
    if (entry.name.startsWith('secrets.')) assert.equal(statSync(file).mode & 0o777, 0o600);
  }
});

test('a wrong, missing or damaged key is one clear error, and nothing is written over', async (t) => {
  const { dir, open } = await place(t, 'weather');
  await open().set('weather', 'API_KEY', 'canary');
  const before = readFileSync(join(dir, 'secrets.json'), 'utf8');
  const other = open({ WITBOX_SECRET_KEY: KEY });
  await assert.rejects(other.set('weather', 'X', 'value'), {
    code: 'secrets-key',
    message: /is not the one/,
  });
  await assert.rejects(other.of('weather'), { code: 'secrets-closed' });
  await assert.rejects(other.rekey(keySource({ file: 'new.key' }, { env: {}, dataDir: dir })), {
    code: 'secrets-key',
  });
  const key = readFileSync(join(dir, 'secrets.key'));
  writeFileSync(join(dir, 'secrets.key'), 'short');
  await assert.rejects(open().set('weather', 'X', 'value'), { code: 'secrets-key', message: /32 bytes/ });
  rmSync(join(dir, 'secrets.key'));
  await assert.rejects(open().set('weather', 'X', 'value'), { code: 'secrets-key', message: /no key/ });
  writeFileSync(join(dir, 'secrets.key'), key, { mode: 0o644 });
  chmodSync(join(dir, 'secrets.key'), 0o644);
  await assert.rejects(open().set('weather', 'X', 'value'), { code: 'secrets-key', message: /chmod 600/ });
  assert.equal(readFileSync(join(dir, 'secrets.json'), 'utf8'), before);
  chmodSync(join(dir, 'secrets.key'), 0o600);
  assert.deepEqual(await valuesOf(open(), 'weather'), { API_KEY: 'canary' });
});

test('a value moved to another component or another name does not open there', async (t) => {
  const { dir, open } = await place(t, 'weather', 'notes');
  await open().set('weather', 'A', 'canary');
  await open().set('notes', 'A', 'other');
  const file = JSON.parse(readFileSync(join(dir, 'secrets.json'), 'utf8'));
  file.components.notes.A.sealed = file.components.weather.A.sealed;
  writeFileSync(join(dir, 'secrets.json'), JSON.stringify(file));
  await assert.rejects(open().of('notes'), { code: 'secrets-closed' });
  assert.deepEqual(await valuesOf(open(), 'weather'), { A: 'canary' });
});

test('the key can come from the environment, as it is or from a passphrase', async (t) => {
  for (const key of [KEY, 'correct horse battery staple']) {
    const { open, dir } = await place(t, 'weather');
    await open({ WITBOX_SECRET_KEY: key }).set('weather', 'A', 'canary');
    assert.deepEqual(await valuesOf(open({ OTHER: key }, { environment: 'OTHER' }), 'weather'), {
      A: 'canary',
    });
    assert.ok(!readdirSync(dir).includes('secrets.key'));
  }
  const { open } = await place(t, 'weather');
  await assert.rejects(open({ WITBOX_SECRET_KEY: 'short' }).set('weather', 'A', 'canary'), {
    code: 'secrets-key',
  });
});

test('rekey encrypts everything with a new key, in place or with the key of another source', async (t) => {
  const { dir, open } = await place(t, 'weather', 'notes');
  await open().set('weather', 'A', 'canary-1');
  await open().set('notes', 'B', 'canary-2');
  const file = keySource(null, { env: {}, dataDir: dir });
  const [before] = await file.load('');
  assert.equal(await open().rekey(file), 2);
  const after = await file.load('');
  assert.equal(after.length, 1);
  assert.notDeepEqual(after[0], before);
  const env = { WITBOX_SECRET_KEY: KEY };
  assert.equal(await open().rekey(keySource(null, { env, dataDir: dir })), 2);
  assert.deepEqual(await valuesOf(open(env), 'notes'), { B: 'canary-2' });
  await assert.rejects(open().of('notes'), { code: 'secrets-closed' });
  await assert.rejects(open(env).rekey(keySource(null, { env, dataDir: dir })), { message: /--to/ });
});

test('a kill between the new key and the new file leaves the old one open', async (t) => {
  const { dir, open } = await place(t, 'weather');
  await open().set('weather', 'A', 'canary');
  const file = keySource(null, { env: {}, dataDir: dir });
  const [old] = await file.load('');
  await file.keep!([Buffer.alloc(32, 1), old!]);
  assert.deepEqual(await valuesOf(open(), 'weather'), { A: 'canary' });
});

test('an unloaded component takes its secrets along', async (t) => {
  const { dir, store, open } = await place(t, 'weather', 'notes');
  await open().set('weather', 'A', 'canary');
  await store.unload('weather');
  await load(store, 'weather');
  assert.deepEqual(open().list(), []);
  assert.doesNotMatch(readFileSync(join(dir, 'secrets.json'), 'utf8'), /weather/);
});

test('a lost key is no reason to be stuck: delete what is there and begin again', async (t) => {
  const { dir, open } = await place(t, 'weather');
  await open().set('weather', 'A', 'canary');
  rmSync(join(dir, 'secrets.key'));
  await open().delete('weather', 'A');
  await open().set('weather', 'A', 'canary-2');
  assert.deepEqual(await valuesOf(open(), 'weather'), { A: 'canary-2' });
});

test('names and values that could not be used or redacted are refused', async (t) => {
  const { open } = await place(t, 'weather');
  for (const name of ['', '1A', 'a b', 'x'.repeat(129), '__proto__\n'])
    await assert.rejects(open().set('weather', name, 'value'), { code: 'secret-invalid' });
  for (const value of ['', 'abc', 'x'.repeat(16_385), 'a\0bcd', '\ud800abcd'])
    await assert.rejects(open().set('weather', 'A', value), { code: 'secret-invalid' });
  await open().set('weather', '__proto__', 'value');
  assert.deepEqual([...(await open().of('weather')).keys()], ['__proto__']);
  await assert.rejects(open().set('nobody', 'A', 'value'), { code: 'component-unknown' });
});

test('what was opened is known to the redactor', async (t) => {
  const { dir, open } = await place(t, 'weather');
  await open().set('weather', 'A', 'canary-value');
  const redactor = createRedactor();
  const key = keySource(null, { env: {}, dataDir: dir });
  await createSecrets({ store: createStore(dir), key, redactor }).prepare();
  assert.equal(redactor.text('is canary-value here'), 'is [redacted] here');
});
