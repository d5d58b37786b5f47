import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { compile } from '../../src/engine/engine.ts';
import { createPreview1 } from '../../src/wasi/preview1/preview1.ts';
import { createWasi } from '../../src/wasi/wasi.ts';
import { directPort } from '../support/guest.ts';
import { directoryGrant, hostWith, temporaryDirectory } from '../support/host.ts';

const fixture = (name: string): Promise<Uint8Array> =>
  readFile(new URL(`../fixtures/wasi/${name}`, import.meta.url));

test('a component that serves several calls finds its directories in each of them', async (t) => {
  const root = temporaryDirectory(t);
  writeFileSync(join(root, 'f'), 'text');
  const hosts = [1, 2].map(() => hostWith(t, directoryGrant(root)));
  const revoked = hostWith(t, '{}');
  let [current, generation] = [hosts[0]!, 1];
  const port = {
    get generation() {
      return generation;
    },
    request: (op: string, args: Parameters<typeof current.handle>[1]) =>
      directPort(current).request(op, args),
    post: (op: string, args: Parameters<typeof current.handle>[1]) => directPort(current).post(op, args),
  };
  const compiled = await compile(await fixture('net.wasm'));
  assert.ok(compiled.kind === 'component');
  const instance = await compiled.instantiate(createWasi(port));
  const read = (): Promise<unknown> => instance.call('path', ['read', 'f', '']);
  assert.deepEqual(await read(), { tag: 'ok', val: 'text' });
  await current.close();
  [current, generation] = [hosts[1]!, 2];
  assert.deepEqual(await read(), { tag: 'ok', val: 'text' });
  [current, generation] = [revoked, 3];
  assert.deepEqual(await read(), { tag: 'err', val: 'no-entry' });
});

test('a module that serves several calls finds its directories in each of them', async (t) => {
  const root = temporaryDirectory(t);
  const hosts = [1, 2].map(() => hostWith(t, directoryGrant(root)));
  let [current, generation] = [hosts[0]!, 1];
  const port = {
    get generation() {
      return generation;
    },
    request: (op: string, args: Parameters<typeof current.handle>[1]) =>
      directPort(current).request(op, args),
    post: (op: string, args: Parameters<typeof current.handle>[1]) => directPort(current).post(op, args),
  };
  const compiled = await compile(await fixture('hostile.wasm'));
  assert.ok(compiled.kind === 'module');
  const instance = await compiled.instantiate(createPreview1(port));
  // 21: the descriptor was good and the pointer was not.
  assert.equal(await instance.call('list_outside', []), 21);
  await current.close();
  [current, generation] = [hosts[1]!, 2];
  assert.equal(await instance.call('list_outside', []), 21);
});
