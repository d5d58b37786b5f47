import assert from 'node:assert/strict';
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { createCells } from '../cell/cells.ts';
import { createLogger } from '../core/log.ts';
import { createStore } from '../store/store.ts';
import { createComponents } from './components.ts';
import { watchFolder } from './folder.ts';

const FIXTURES = join(import.meta.dirname, '..', '..', 'test', 'fixtures');

test('a watched folder serves what is in it, as it changes', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'witbox-folder-'));
  const cells = await createCells({ warm: 0 });
  const lines: string[] = [];
  const log = createLogger({ levels: 'warn', write: (line) => lines.push(line) });
  const store = createStore(join(folder, 'data'));
  const components = createComponents({ cells, store, log, env: {}, now: () => new Date() });
  const ids = () => components.list().map(({ spec }) => spec.id);
  const until = async (what: string, condition: () => boolean): Promise<void> => {
    const end = performance.now() + 20_000;
    while (!condition()) {
      assert.ok(performance.now() < end, `${what}: ${ids().join()} ${lines.join('')}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  const file = (name: string) => join(folder, name);
  try {
    await copyFile(join(FIXTURES, 'wat', 'adder.wasm'), file('first.wasm'));
    const watched = await watchFolder(folder, components, log);
    assert.deepEqual(ids(), ['first']);

    await writeFile(file('page.wasm'), '<!doctype html>');
    await copyFile(join(FIXTURES, 'wat', 'adder.wasm'), file('second.wasm'));
    await until('a new file is loaded', () => ids().includes('second'));
    await until('a file that is none is named', () => lines.some((line) => line.includes('page.wasm')));

    const before = components.get('first')!.spec.digest;
    await copyFile(join(FIXTURES, 'wat', 'calc.wasm'), file('first.wasm'));
    await until(
      'a changed file is loaded anew',
      () => (components.get('first')?.spec.digest ?? before) !== before,
    );

    await rm(file('second.wasm'));
    await until('a deleted file is unloaded', () => !ids().includes('second'));
    watched.close();
    await assert.rejects(watchFolder(join(folder, 'nowhere'), components, log), /nowhere/);
  } finally {
    components.close();
    await cells.close();
    await rm(folder, { recursive: true, force: true });
  }
});
