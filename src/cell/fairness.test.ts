// Callers take turns in front of a component: one with hundreds of calls does not starve another. Told by how many calls
// ended in between, not by time.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fixture, bareHost as host } from '../../test/support/cells.ts';
import type { ActiveCall } from './active-call.ts';
import { CallLine } from './call-line.ts';
import { createCells } from './cells.ts';

const SLOW = { nanoseconds: 20_000_000 };

test('a caller with hundreds of slow calls delays each call of another by about one', async () => {
  const cells = await createCells({ warm: 0, cellsPerComponent: 1 });
  try {
    const loaded = await cells.load({ id: 'sleep', bytes: fixture('sleep.wasm') });
    const flood = new AbortController();
    let ended = 0;
    const noisy = Array.from({ length: 300 }, () =>
      loaded.call(['sleep'], SLOW, { host, flow: 'noisy', signal: flood.signal }).then(() => ended++),
    );
    const between: number[] = [];
    for (let at = 0; at < 6; at++) {
      const before = ended;
      const outcome = await loaded.call(['sleep'], SLOW, { host, flow: 'quiet' });
      assert.equal(outcome.kind, 'ok');
      between.push(ended - before);
    }
    // The one that runs, the one that is sent ahead, one turn, and what ends while answers are on their way; of 300.
    assert.ok(
      between.every((count) => count <= 8),
      `calls of the other in between: ${between}`,
    );
    assert.ok(ended < 50, `${ended} of the other ended meanwhile`);
    flood.abort();
    await Promise.all(noisy);
  } finally {
    await cells.close();
  }
});

const call = (flow: string, id: number): ActiveCall =>
  ({ id, flow, turn: 0, func: 0, args: '', session: '' }) as unknown as ActiveCall;
const drain = (line: CallLine): string =>
  Array.from({ length: line.length }, () => {
    const { flow, id } = line.take(0);
    return `${flow}${id}`;
  }).join(' ');

test('callers take turns, each in the order in which they came', () => {
  const line = new CallLine('c', 10);
  for (const id of [1, 2, 3, 4]) line.add(call('a', id));
  for (const id of [1, 2]) line.add(call('b', id));
  line.add(call('c', 1));
  assert.equal(drain(line), 'a1 b1 c1 a2 b2 a3 a4');
});

test('nobody saves up turns by being away', () => {
  const line = new CallLine('c', 100);
  for (let id = 0; id < 50; id++) line.add(call('a', id));
  for (let at = 0; at < 40; at++) line.take(0);
  for (const id of [1, 2, 3]) line.add(call('b', id));
  assert.equal(drain(line).split(' ').slice(0, 6).join(' '), 'b1 a40 b2 a41 b3 a42');
});

test('what had not begun is put back where it was', () => {
  const line = new CallLine('c', 10);
  for (const id of [1, 2, 3]) line.add(call('a', id));
  line.add(call('b', 1));
  const taken = [line.take(0), line.take(0), line.take(0)];
  line.putBack(taken);
  assert.equal(drain(line), 'a1 b1 a2 a3');
});

test('a full line refuses its own caller and leaves room for others, within a bound', () => {
  const line = new CallLine('c', 2);
  line.add(call('a', 1));
  line.add(call('a', 2));
  assert.throws(() => line.add(call('a', 3)), { code: 'cell-queue-full' });
  for (const flow of ['b', 'c', 'd']) for (const id of [1, 2]) line.add(call(flow, id));
  assert.throws(() => line.add(call('e', 1)), { code: 'cell-queue-full' });
  const last = line.at(7);
  assert.equal(line.remove(last), true);
  assert.equal(line.remove(last), false);
  line.add(call('e', 1));
  assert.equal(line.clear().length, 8);
  assert.equal(line.length, 0);
});
