import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Cells, createCells, type Loaded } from '../cell/cells.ts';
import { createHousing } from './housing.ts';

const BYTES = join(import.meta.dirname, '..', '..', 'test', 'fixtures', 'wat', 'adder.wasm');

async function withCells(
  work: (cells: Cells, load: (memoryBytes: number) => Promise<Loaded>) => Promise<void>,
) {
  const bytes = await readFile(BYTES);
  const cells = await createCells({ warm: 0 });
  try {
    await work(cells, (memoryBytes) => cells.load({ id: 'adder', bytes, limits: { memoryBytes } }));
  } finally {
    await cells.close();
  }
}

test('a limit that cannot be had is never replaced by the one before, and the next call tries again', () =>
  withCells(async (_cells, load) => {
    let refusing = true;
    const housing = createHousing(await load(1 << 26), 1 << 26, (memoryBytes) =>
      refusing ? Promise.reject(new Error('no place')) : load(memoryBytes),
    );
    const used = () => housing.use(1 << 25, async ({ id }) => id);
    await assert.rejects(used(), /no place/);
    await assert.rejects(used(), /no place/);
    refusing = false;
    assert.equal(await used(), 'adder');
    housing.close();
  }));

test('a call keeps the cells it began in, which end with it', () =>
  withCells(async (cells, load) => {
    const housing = createHousing(await load(1 << 26), 1 << 26, load);
    const { promise, resolve } = Promise.withResolvers<void>();
    const early = housing.use(1 << 26, () => promise);
    await housing.use(1 << 25, async () => {});
    assert.equal(cells.stats().cells, 2);
    resolve();
    await early;
    assert.equal(cells.stats().cells, 1);
    housing.close();
    assert.equal(cells.stats().cells, 0);
  }));

test('what is loaded after the end is unloaded at once', () =>
  withCells(async (cells, load) => {
    const housing = createHousing(await load(1 << 26), 1 << 26, load);
    const late = housing.use(1 << 25, async () => {});
    housing.close();
    await late.catch(() => {});
    assert.equal(cells.stats().cells, 0);
  }));
