// Each change is cut off before its first, second, third … file operation, as a kill there would: whatever is on disk
// then must be the state before the change or the one after it. Only the system's file functions are touched, to stop
// them; nothing of ours is replaced.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { grantPermission } from '../policy/edit.ts';
import type { FetchedComponent } from './source/source.ts';
import { createStore, type Store } from './store.ts';

const OPERATIONS = [
  'open',
  'rename',
  'link',
  'unlink',
  'mkdir',
  'rm',
  'writeFile',
  'readdir',
  'stat',
  'readFile',
] as const;

const component = (bytes: number): FetchedComponent => ({
  uri: 'file:///a.wasm',
  name: 'a.wasm',
  bytes: new Uint8Array(8).fill(bytes),
});
const grant = (key: string) => (text: string) => grantPermission(text, { kind: 'environment', value: key });

for (const [name, change] of [
  ['a first load', (store) => store.load(component(2), { id: 'b' })],
  ['other bytes', (store) => store.load(component(2))],
  ['a grant', (store) => store.changePolicy('a', grant('B'))],
  ['an unload', (store) => store.unload('a')],
] as const satisfies readonly (readonly [string, (store: Store) => Promise<unknown>])[]) {
  test(`${name}, cut off anywhere, leaves the state before or after it`, async (t) => {
    const start = await prepare(t);
    const before = await stateOf(createStore(start));
    const seen = new Set<string>();
    let after = '';
    let cuts = 0;
    for (; after === ''; cuts += 1) {
      const directory = await temporary(t);
      await cp(start, directory, { recursive: true });
      const store = createStore(directory);
      const finished = await runUntil(cuts, () => change(store));
      const state = await stateOf(createStore(directory));
      if (finished) after = state;
      else if (state !== before) seen.add(state);
    }
    assert.ok(cuts > 10, `only ${cuts} operations were cut`);
    for (const state of seen) {
      // Between taking back the grants and replacing the bytes there is one more state, which grants less.
      const harmless =
        name === 'other bytes' && state === [before.split('\n')[0], after.split('\n')[1]].join('\n');
      assert.ok(state === after || harmless, `${state}\n  is neither before nor after\n${after}`);
    }
  });
}

async function prepare(t: TestContext): Promise<string> {
  const directory = await temporary(t);
  const store = createStore(directory);
  await store.load(component(1));
  await store.changePolicy('a', grant('A'));
  return directory;
}

async function temporary(t: TestContext): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'witbox-cut-'));
  t.after(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

/** First line: components and their bytes; second line: what is granted. */
async function stateOf(store: Store): Promise<string> {
  const components = store.list().map(({ id, digest }) => `${id} ${digest.slice(7, 15)}`);
  for (const { id } of store.list()) await store.bytes(id);
  const grants = store.list().map(
    ({ id }) =>
      `${id}: ${store
        .policy(id)
        .environment.allow.map((rule) => rule.name)
        .join(' ')}`,
  );
  return `${components.join(', ')}\n${grants.join(', ')}`;
}

/** Lets that many file operations happen; the next one, and all after it, never return. */
async function runUntil(count: number, action: () => Promise<unknown>): Promise<boolean> {
  const original = { ...fs.promises };
  const cut = Promise.withResolvers<boolean>();
  let left = count;
  for (const operation of OPERATIONS) {
    const real = original[operation] as (...parameters: unknown[]) => Promise<unknown>;
    Object.assign(fs.promises, {
      [operation]: (...parameters: unknown[]) => {
        left -= 1;
        if (left >= 0) return real(...parameters);
        cut.resolve(false);
        return new Promise(() => {});
      },
    });
  }
  syncBuiltinESMExports();
  try {
    return await Promise.race([action().then(() => true), cut.promise]);
  } finally {
    Object.assign(fs.promises, original);
    syncBuiltinESMExports();
  }
}
