import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { runCommand } from '../../../test/support/io.ts';
import { createKeyStore } from '../../store/keys.ts';

async function deskFor(t: TestContext) {
  const directory = await mkdtemp(join(tmpdir(), 'witbox-key-'));
  t.after(() => rm(directory, { recursive: true, force: true }));
  const run = (...argv: string[]) => runCommand(argv, { WITBOX_DATA_DIR: directory });
  return { directory, run, keys: createKeyStore(directory) };
}

test('a key is shown once, listed without its secret, and revoked by its name', async (t) => {
  const { run, keys } = await deskFor(t);
  const made = await run(
    'key',
    'create',
    'ci',
    '--scope',
    'a',
    '--scope',
    'b',
    '--group',
    'g',
    '--expires',
    '90d',
  );
  const text = made.out.trim();
  const key = keys.prove(text);
  assert.deepEqual([key?.name, key?.scopes, key?.groups], ['ci', ['a', 'b'], ['g']]);
  const days = (Date.parse(key?.expiresAt ?? '') - Date.now()) / 86_400_000;
  assert.ok(days > 89.9 && days <= 90);
  assert.ok(!made.err.includes(text));
  for (const shown of [await run('key', 'list'), await run('key', 'list', '--json')]) {
    assert.match(shown.out, /ci/);
    assert.ok(shown.out.includes(text.slice(-4)));
    assert.ok(!shown.out.includes(text.slice(-20)), 'no more of the secret');
    assert.ok(!shown.out.includes(key?.hash ?? '?'), 'nor its hash');
  }
  assert.match((await run('key', 'revoke', 'ci')).out, /Revoked key "ci"/);
  assert.equal(keys.prove(text), null);
  assert.match((await run('key', 'list')).out, /no keys/);
});

test('as JSON a new key can be taken from standard output alone', async (t) => {
  const { run, keys } = await deskFor(t);
  const { out, err } = await run('key', 'create', 'robot', '--json');
  assert.equal(keys.prove((JSON.parse(out) as { key: string }).key)?.name, 'robot');
  assert.equal(err, '');
});

test('times that are over or make no sense, and names that are taken, are refused', async (t) => {
  const { run, keys } = await deskFor(t);
  for (const time of ['0d', '5', 'soon', '2001-01-01', '-1d', '999999y', '90D'])
    await assert.rejects(run('key', 'create', 'x', '--expires', time), { code: 'flag-invalid' }, time);
  await run('key', 'create', 'x', '--expires', '2099-01-31');
  await assert.rejects(run('key', 'create', 'x'), { code: 'key-exists' });
  await assert.rejects(run('key', 'revoke', 'y'), { code: 'key-unknown' });
  assert.equal(keys.list().length, 1);
});
