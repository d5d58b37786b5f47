import assert from 'node:assert/strict';
import { test } from 'node:test';
import { abuse, SMALL } from './abuse.ts';

test('an honest client is answered, and all comes back, whatever others do', {
  skip: process.platform === 'linux' ? false : 'what the server uses is read from /proc',
}, async () => {
  const { phases, problems } = await abuse(SMALL);
  assert.deepEqual(problems, []);
  assert.ok(phases.every(({ calls }) => calls > 0));
});
