// A kill at any moment leaves a data directory that starts again with nothing acknowledged lost. `npm run crash` does the
// same 200 times.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { killLoop } from './kill-loop.ts';
import { temporaryFolder } from './sample-log.ts';

const KILLS = 15;

test(`${KILLS} kills during writes of everything lose nothing that was acknowledged`, async (t) => {
  const tally = await killLoop(await temporaryFolder(t), KILLS, 1);
  t.diagnostic(JSON.stringify(tally));
  assert.ok(tally.acknowledged > 3 * KILLS, 'it must be killed while it works');
  assert.ok(tally.underWay > KILLS, 'it must be killed in the middle of changes');
});
