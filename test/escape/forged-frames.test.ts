// Promise: whatever a cell that was taken over says on the wire ends that cell and nothing else; the call in it gets a
// clear answer, and the broker neither crashes, nor hangs, nor grows.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { CallHost } from '../../src/cell/active-call.ts';
import { type Cells, createCells } from '../../src/cell/cells.ts';
import { bareHost, fixture } from '../support/cells.ts';

const guests = join(import.meta.dirname, 'guests');
let hostile: Cells;
let honest: Cells;

before(async () => {
  hostile = await createCells({
    program: {
      entry: join(guests, 'forger.js'),
      readable: [guests, join(guests, '..', '..', '..', 'package.json')],
    },
    warm: 2,
  });
  honest = await createCells({ warm: 0 });
});
after(async () => {
  await hostile.close();
  await honest.close();
});

const host = (): CallHost => ({
  handle: (operation) => (operation === 'never' ? new Promise(() => {}) : Promise.resolve(null)),
  close: async () => {},
});

const names = [
  ...readFileSync(join(guests, 'forger.js'), 'utf8').matchAll(/^ {2}'?([a-z][^':]+)'?: \(/gm),
].map(([, name]) => name as string);

/** What each lie must lead to; all that are not named here end the cell. */
const expected: Readonly<Record<string, RegExp>> = {
  'an answer twice': /^ok$/,
  'ready twice': /^crashed$/,
  'a flood of messages': /^timeout$/,
  // Its pipe is closed, which ends it by a signal or an error; until then its time runs.
  'a flood of error output': /^(crashed|timeout)$/,
  'an answer that is too long': /^output$/,
};

test('all lies of the forger are known here', () => assert.ok(names.length >= 20, names.join()));

for (const lie of names) {
  test(`the broker survives ${lie}`, async () => {
    const before = process.memoryUsage().rss;
    const loaded = await hostile.load({ id: lie, bytes: Buffer.from(`lie:${lie}`) });
    const outcome = await loaded.call(
      ['f'],
      {},
      { host, limits: { wallMs: lie.includes('flood') ? 700 : 20_000 } },
    );
    assert.match(outcome.kind, expected[lie] ?? /^crashed$/, JSON.stringify(outcome).slice(0, 200));
    loaded.unload();
    assert.ok(process.memoryUsage().rss - before < 200 << 20);
  });
}

test('a description of nonsense is refused when the component is loaded', async () => {
  await assert.rejects(
    hostile.load({ id: 'nonsense', bytes: Buffer.from('lie:a description of nonsense') }),
    /Malformed/,
  );
});

test('an honest cell beside all this goes on', async () => {
  const add = await honest.load({ id: 'add', bytes: fixture('add.wasm') });
  const outcome = await add.call(['add'], { a: 1, b: 2 }, { host: bareHost });
  assert.equal(outcome.kind, 'ok');
});
