// A short soak: no answer is lost, no process stays, no host is left open, whatever guests do and whoever is killed.
// The long one is `node bench/soak.ts`.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { soak } from '../../bench/soak.ts';
import { createCells } from '../../src/cell/cells.ts';
import { isAlive } from '../support/cells.ts';

test('thousands of calls over mixed components with killed cells all get an answer', async () => {
  const { outcomes, wrong, openHosts, pids } = await soak(createCells, {
    calls: 2000,
    callers: 16,
    kills: 2,
  });
  assert.deepEqual(wrong, []);
  assert.equal(
    Object.values(outcomes).reduce((sum, count) => sum + count, 0),
    2000,
  );
  assert.equal(openHosts, 0);
  assert.deepEqual(pids.filter(isAlive), []);
});
