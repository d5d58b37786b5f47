import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { createKeyStore } from './keys.ts';
import { KEYS_FILE } from './keys-file.ts';

async function directoryFor(t: TestContext): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'witbox-keys-'));
  t.after(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

test('a key proves itself by its text alone, and the file has neither text nor secret', async (t) => {
  const directory = await directoryFor(t);
  const keys = createKeyStore(directory);
  const { text, key } = await keys.create({ name: 'ci', scopes: ['tools'], groups: ['builders'] });
  assert.match(text, /^wbx_[0-9a-f]{16}_[\w-]{43}$/);
  assert.deepEqual(keys.prove(text), key);
  assert.equal(key.lastFour, text.slice(-4));
  const file = await readFile(join(directory, KEYS_FILE), 'utf8');
  assert.ok(!file.includes(text.slice(21)), 'the secret is not in the file');
  assert.equal((await stat(join(directory, KEYS_FILE))).mode & 0o777, 0o600);
});

test('unknown, wrong and malformed keys prove nothing', async (t) => {
  const keys = createKeyStore(await directoryFor(t));
  const { text } = await keys.create({ name: 'ci' });
  const other = (await createKeyStore(await directoryFor(t)).create({ name: 'ci' })).text;
  const crossed = text.slice(0, 21) + other.slice(21);
  for (const wrong of [other, crossed, '', 'wbx_', text.slice(0, -1), `${text}A`, text.toUpperCase()])
    assert.equal(keys.prove(wrong), null);
});

test('a key that another process makes or revokes counts from the next look on', async (t) => {
  const directory = await directoryFor(t);
  const [here, there] = [createKeyStore(directory), createKeyStore(directory)];
  assert.deepEqual(here.list(), []);
  const { text, key } = await there.create({ name: 'late' });
  assert.equal(here.prove(text)?.name, 'late');
  await there.revoke('late');
  assert.equal(here.prove(text), null);
  assert.equal(here.find(key.id), undefined);
  const again = await there.create({ name: 'late' });
  assert.equal(here.prove(text), null, 'the old text does not prove the new key of the same name');
  assert.notEqual(again.key.id, key.id);
});

test('names are unique even when many are made at once', async (t) => {
  const keys = createKeyStore(await directoryFor(t));
  const made = await Promise.allSettled(Array.from({ length: 5 }, () => keys.create({ name: 'one' })));
  assert.equal(made.filter(({ status }) => status === 'fulfilled').length, 1);
  await Promise.all(['a', 'b', 'c'].map((name) => keys.create({ name })));
  assert.deepEqual(
    keys.list().map(({ name }) => name),
    ['a', 'b', 'c', 'one'],
  );
});

test('names, scopes and groups that could be mistaken for others are refused', async (t) => {
  const keys = createKeyStore(await directoryFor(t));
  for (const name of ['', 'a:b', 'a b', '../x', '-x', 'x'.repeat(65)])
    await assert.rejects(keys.create({ name }), { code: 'key-name-invalid' });
  await assert.rejects(keys.create({ name: 'x', scopes: ['a b'] }), { code: 'key-label-invalid' });
  await assert.rejects(keys.create({ name: 'x', groups: ['a"'] }), { code: 'key-label-invalid' });
  await assert.rejects(keys.revoke('nobody'), { code: 'key-unknown' });
});

test('a file that cannot be understood lets nobody in', async (t) => {
  const directory = await directoryFor(t);
  const keys = createKeyStore(directory);
  const { text } = await keys.create({ name: 'ci' });
  const path = join(directory, KEYS_FILE);
  const good = await readFile(path, 'utf8');
  for (const bad of [
    '',
    '{}',
    good.replace('"format": 1', '"format": 2'),
    good.replace(/"hash": ".{4}/, '"hash": "'),
  ]) {
    await writeFile(path, bad);
    assert.throws(() => keys.prove(text), { code: 'store-corrupt' });
  }
});
