import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fixture, bareHost as host, until } from '../../test/support/cells.ts';
import { createCells } from './cells.ts';

test('the state of cells tells what runs for whom, and what became of the others', async () => {
  const cells = await createCells({ warm: 1 });
  try {
    const loaded = await cells.load({ id: 'misbehave', bytes: fixture('misbehave.wasm') });
    await until(() => cells.state().warm.cells === 1, 'a warm cell waits');
    const calm = cells.state();
    assert.deepEqual(
      calm.components.map(({ component, cells, calls, waiting }) => [component, cells, calls, waiting]),
      [['misbehave', 1, 0, 0]],
    );
    if (process.platform === 'linux') assert.ok(calm.components[0]!.residentBytes > 1 << 20);
    await loaded.call(['loop'], {}, { host, limits: { wallMs: 50 } });
    assert.equal(cells.state().ended.get('timeout'), 1);
    assert.equal(cells.state().components[0]?.cells, 0);
    loaded.unload();
    assert.deepEqual(cells.state().components, []);
  } finally {
    await cells.close();
  }
  const gone = cells.state();
  const ended = [...gone.ended.values()].reduce((sum, count) => sum + count, 0);
  assert.equal(ended, gone.started);
  assert.ok((gone.ended.get('shutdown') ?? 0) >= 1);
});
