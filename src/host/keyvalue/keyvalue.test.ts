import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import { hostWith, temporaryDirectory } from '../../../test/support/host.ts';

const GRANT = '{keyvalue: {allow: [{bucket: default}]}}';

test('values are kept between calls, per component', async (t) => {
  const keyvalueDir = temporaryDirectory(t);
  const first = hostWith(t, GRANT, { keyvalueDir, componentId: 'a' });
  const id = await first.ask('kv.open', 'default');
  assert.equal(await first.ask('kv.get', id, '../../x'), null);
  await first.ask('kv.set', id, '../../x', Buffer.from('value'));
  assert.equal(await first.ask('kv.exists', id, '../../x'), true);

  const again = hostWith(t, GRANT, { keyvalueDir, componentId: 'a' });
  const same = await again.ask('kv.open', '');
  assert.equal(String(await again.ask('kv.get', same, '../../x')), 'value');
  assert.deepEqual(await again.ask('kv.keys', same, 0), [['../../x'], null]);

  const other = hostWith(t, GRANT, { keyvalueDir, componentId: 'b' });
  assert.equal(await other.ask('kv.get', await other.ask('kv.open', 'default'), '../../x'), null);
  assert.ok(
    readdirSync(keyvalueDir, { recursive: true }).every((name) => /^[0-9a-f/\\]+$/.test(String(name))),
  );
});

test('counting is atomic, many values go at once, and keys come in pages', async (t) => {
  const host = hostWith(t, GRANT, { keyvalueDir: temporaryDirectory(t) });
  const id = await host.ask('kv.open', 'default');
  await Promise.all(Array.from({ length: 20 }, () => host.ask('kv.increment', id, 'n', 2)));
  assert.equal(await host.ask('kv.increment', id, 'n', 0), 40n);
  const pairs = Array.from({ length: 150 }, (_, i) => [`k${i}`, Buffer.from(`${i}`)]);
  assert.equal(await host.ask('kv.set-many', id, pairs), null);
  assert.deepEqual(((await host.ask('kv.get-many', id, ['k7', 'none'])) as unknown[]).map(String), [
    '7',
    'null',
  ]);
  const [page, next] = (await host.ask('kv.keys', id, 0)) as [string[], number];
  const [rest, end] = (await host.ask('kv.keys', id, next)) as [string[], null];
  assert.deepEqual([page.length + rest.length, end], [151, null]);
  await host.ask('kv.delete-many', id, ['k7', 'k8']);
  assert.equal(await host.ask('kv.exists', id, 'k7'), false);
});

test('a bucket needs a grant, a place, and keeps to its bounds', async (t) => {
  const keyvalueDir = temporaryDirectory(t);
  const host = hostWith(t, GRANT, { keyvalueDir, limits: { keysPerBucket: 2, valueBytes: 10 } });
  assert.equal(await host.ask('kv.open', 'other'), '!access-denied');
  assert.equal(host.denials()[0]?.permission, 'keyvalue:other');
  const id = await host.ask('kv.open', 'default');
  assert.equal(await host.ask('kv.set', id, 'k', Buffer.alloc(11)), '!invalid');
  for (const key of ['1', '2']) assert.equal(await host.ask('kv.set', id, key, Buffer.alloc(10)), null);
  assert.equal(await host.ask('kv.set', id, '3', Buffer.alloc(1)), '!other');
  assert.equal(await hostWith(t, GRANT).ask('kv.open', 'default'), '!no-such-store');
});
