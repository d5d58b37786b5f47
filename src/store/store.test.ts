import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { decide } from '../policy/decide.ts';
import { EMPTY_DOCUMENT, grantPermission } from '../policy/edit.ts';
import { resolveDataDir } from './data-dir.ts';
import type { FetchedComponent } from './source/source.ts';
import { createStore, type Store } from './store.ts';

async function temporary(t: TestContext): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'witbox-store-'));
  t.after(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

function component(name: string, content = name, folder = ''): FetchedComponent {
  return { uri: `file:///${folder}${name}`, name, bytes: new TextEncoder().encode(`\0asm${content}`) };
}

const grantHome = (text: string): string => grantPermission(text, { kind: 'environment', value: 'HOME' });
const mayReadHome = (store: Store, id: string): boolean =>
  decide(store.policy(id), { kind: 'environment', name: 'HOME' }).allowed;

test('the data directory is the flag, else the variable, else that of the platform', () => {
  const home = '/home/a';
  assert.equal(resolveDataDir({ flag: '/x', env: { WITBOX_DATA_DIR: '/y' }, home }), '/x');
  assert.equal(resolveDataDir({ env: { WITBOX_DATA_DIR: '/y', XDG_DATA_HOME: '/z' }, home }), '/y');
  assert.equal(resolveDataDir({ env: { XDG_DATA_HOME: '/z' }, home }), '/z/witbox');
  assert.equal(resolveDataDir({ env: { XDG_DATA_HOME: 'relative' }, home }), '/home/a/.local/share/witbox');
});

test('a loaded component comes back in another store on the same directory', async (t) => {
  const directory = await temporary(t);
  const first = createStore(directory, () => new Date('2026-01-02T03:04:05Z'));
  const stored = await first.load(
    { ...component('My Tool.component.wasm'), tools: 'a: 1', requested: 'b: 2' },
    { config: { instance: 'session' } },
  );
  assert.equal(stored.id, 'my-tool');
  const second = createStore(directory);
  assert.deepEqual(second.list(), [
    {
      id: 'my-tool',
      digest: stored.digest,
      size: stored.size,
      source: 'file:///My Tool.component.wasm',
      loadedAt: '2026-01-02T03:04:05.000Z',
      config: { instance: 'session' },
    },
  ]);
  assert.deepEqual(Buffer.from(await second.bytes('my-tool')).toString(), '\0asmMy Tool.component.wasm');
  assert.deepEqual(
    [second.sidecar('my-tool', 'tools'), second.sidecar('my-tool', 'requested')],
    ['a: 1', 'b: 2'],
  );
});

test('a new component has nothing granted, whatever it asks for', async (t) => {
  const store = createStore(await temporary(t));
  await store.load({ ...component('a.wasm'), requested: grantHome(EMPTY_DOCUMENT) });
  assert.equal(store.policyText('a'), EMPTY_DOCUMENT);
  assert.ok(!mayReadHome(store, 'a'));
});

test('ids are made unique, and one that belongs to another source is not taken over', async (t) => {
  const store = createStore(await temporary(t));
  const ids = [];
  for (const folder of ['x/', 'y/', 'z/', 'y/'])
    ids.push((await store.load(component('a.wasm', folder, folder))).id);
  assert.deepEqual(ids, ['a', 'a-2', 'a-3', 'a-2']);
  await assert.rejects(store.load(component('b.wasm'), { id: 'a' }), { code: 'component-exists' });
  for (const id of ['', '..', 'A', 'a/b', 'a.b', '-a', 'a'.repeat(65), '__proto__']) {
    await assert.rejects(store.load(component('b.wasm'), { id }), { code: 'component-id-invalid' }, id);
  }
  assert.equal((await store.load(component('...wasm'))).id, 'component');
  assert.equal(store.list().length, 4);
});

test('other bytes from the same source start with nothing granted, unless asked to keep the policy', async (t) => {
  const store = createStore(await temporary(t));
  await store.load(component('a.wasm', '1'));
  await store.changePolicy('a', grantHome);
  await store.load(component('a.wasm', '1'));
  assert.ok(mayReadHome(store, 'a'), 'the same bytes keep their grants');
  await store.load(component('a.wasm', '2'), { keepPolicy: true });
  assert.ok(mayReadHome(store, 'a'));
  await store.load(component('a.wasm', '3'));
  assert.ok(!mayReadHome(store, 'a'));
});

test('unloading removes the policy and the bytes, unless another component has the same', async (t) => {
  const directory = await temporary(t);
  const store = createStore(directory);
  await store.load(component('a.wasm', 'same'));
  await store.load(component('b.wasm', 'same'));
  await store.changePolicy('a', grantHome);
  await store.unload('a');
  assert.ok((await store.bytes('b')).length > 0);
  await store.load(component('a.wasm', 'same'));
  assert.ok(!mayReadHome(store, 'a'));
  await store.unload('a');
  await store.unload('b');
  assert.deepEqual(await readdir(join(directory, 'blobs', 'sha256')), []);
  assert.deepEqual(await readdir(join(directory, 'components')), []);
});

test('a component that is not loaded is unknown to every operation', async (t) => {
  const store = createStore(await temporary(t));
  await assert.rejects(store.unload('a'), { code: 'component-unknown' });
  await assert.rejects(store.changePolicy('a', grantHome), { code: 'component-unknown' });
  await assert.rejects(store.bytes('a'), { code: 'component-unknown' });
  for (const read of [
    () => store.get('../x'),
    () => store.policy('a'),
    () => store.policyText('__proto__'),
    () => store.sidecar('a', 'tools'),
  ]) {
    assert.throws(read, { code: 'component-unknown' });
  }
});

test('a change of policy that does not parse leaves the policy as it was', async (t) => {
  const store = createStore(await temporary(t));
  await store.load(component('a.wasm'));
  await store.changePolicy('a', grantHome);
  const before = store.policyText('a');
  await assert.rejects(
    store.changePolicy('a', () => 'version: "9"'),
    { code: 'policy-invalid' },
  );
  assert.equal(store.policyText('a'), before);
  assert.ok(mayReadHome(store, 'a'));
});

test('a change by another store is in force at the next look', async (t) => {
  const directory = await temporary(t);
  const [server, command] = [createStore(directory), createStore(directory)];
  await command.load(component('a.wasm'));
  for (let i = 0; i < 20; i += 1) {
    await command.changePolicy('a', grantHome);
    assert.ok(mayReadHome(server, 'a'), `grant ${i}`);
    await command.changePolicy('a', () => EMPTY_DOCUMENT);
    assert.ok(!mayReadHome(server, 'a'), `reset ${i}`);
  }
  await command.unload('a');
  assert.throws(() => server.policy('a'), { code: 'component-unknown' });
});

test('a policy edited by hand is in force, and a broken one grants nothing', async (t) => {
  const directory = await temporary(t);
  const store = createStore(directory);
  await store.load(component('a.wasm'));
  assert.ok(!mayReadHome(store, 'a'));
  await writeFile(join(directory, 'components', 'a', 'policy.yaml'), grantHome(EMPTY_DOCUMENT));
  assert.ok(mayReadHome(store, 'a'));
  await writeFile(
    join(directory, 'components', 'a', 'policy.yaml'),
    'version: "1.0"\npermissions: {everything: true}\n',
  );
  assert.throws(() => store.policy('a'), {
    code: 'policy-invalid',
    message: /"a\/policy.yaml" at line 2, column 15/,
  });
});

test('a broken catalogue is told and not overwritten', async (t) => {
  const directory = await temporary(t);
  const store = createStore(directory);
  await store.load(component('a.wasm'));
  const good = {
    id: 'a',
    digest: `sha256:${'0'.repeat(64)}`,
    size: 1,
    source: 'file:///a',
    loadedAt: '',
    config: {},
  };
  for (const content of [
    '',
    '{',
    'null',
    '{"format":2}',
    '{"format":1,"components":[{}]}',
    ...[{ id: '../a' }, { digest: 'x' }, { size: '1' }, { config: null }, { config: { instance: 'x' } }].map(
      (part) => JSON.stringify({ format: 1, components: [{ ...good, ...part }] }),
    ),
    JSON.stringify({ format: 1, components: [good, good] }),
  ]) {
    await writeFile(join(directory, 'catalogue.json'), content);
    assert.throws(() => store.list(), { code: 'store-corrupt' }, content);
    await assert.rejects(store.load(component('b.wasm')), { code: 'store-corrupt' }, content);
  }
  assert.equal((await readdir(join(directory, 'blobs', 'sha256'))).length, 1);
});

test('bytes that were changed on disk are not handed out', async (t) => {
  const directory = await temporary(t);
  const store = createStore(directory);
  const { digest } = await store.load(component('a.wasm'));
  await writeFile(join(directory, 'blobs', 'sha256', digest.slice(7)), '\0asmevil');
  await assert.rejects(store.bytes('a'), { code: 'store-corrupt' });
});

test('watchers are told of changes by other stores', async (t) => {
  const directory = await temporary(t);
  const [server, command] = [createStore(directory), createStore(directory)];
  let told = Promise.withResolvers<void>();
  const stop = server.watch(() => told.resolve(), 5);
  // The watcher's timer does not keep a process alive; this one does, while the test waits.
  const alive = setInterval(() => {}, 1000);
  t.after(() => {
    stop();
    clearInterval(alive);
  });
  for (const change of [
    () => command.load(component('a.wasm')),
    () => command.changePolicy('a', grantHome),
    () => command.unload('a'),
  ]) {
    told = Promise.withResolvers<void>();
    await change();
    await told.promise;
  }
});

test('a directory that cannot be written to is one clear error, and reading it needs no writing', async (t) => {
  const directory = await temporary(t);
  await writeFile(join(directory, 'file'), '');
  const store = createStore(join(directory, 'file', 'data'));
  assert.deepEqual(store.list(), []);
  await assert.rejects(store.load(component('a.wasm')), { code: 'store-unusable', message: /ENOTDIR/ });
  const unborn = join(directory, 'not-yet');
  assert.deepEqual(createStore(unborn).list(), []);
  await assert.rejects(readdir(unborn), { code: 'ENOENT' });
});

test('no change is lost when several change the same policy at once', async (t) => {
  const directory = await temporary(t);
  await createStore(directory).load(component('a.wasm'));
  const keys = Array.from({ length: 4 }, (_, writer) =>
    Array.from({ length: 6 }, (_, i) => `K${writer}_${i}`),
  );
  await Promise.all(
    keys.map(async (own) => {
      const store = createStore(directory);
      for (const value of own)
        await store.changePolicy('a', (text) => grantPermission(text, { kind: 'environment', value }));
    }),
  );
  const granted = createStore(directory)
    .policy('a')
    .environment.allow.map(({ name }) => name);
  assert.deepEqual(granted.toSorted(), keys.flat().toSorted());
});
