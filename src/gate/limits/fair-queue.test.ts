import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WitboxError } from '../../core/errors.ts';
import { Refusal } from '../../core/refusal.ts';
import { createFairQueue, type FairQueue, type QueueOptions } from './fair-queue.ts';

const { signal } = new AbortController();

function queueOf(options: Partial<QueueOptions> = {}): FairQueue {
  return createFairQueue({ concurrent: 1, perFlow: null, waiting: 1_000, ...options }, () => {});
}

/** Enters and says when its turn has come. */
function enter(queue: FairQueue, flow: string, order: string[], name = flow): void {
  const turn = queue.enter(flow, signal);
  if (turn === null) order.push(name);
  else void turn.then(() => order.push(name));
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

async function run(queue: FairQueue, order: string[]): Promise<void> {
  for (let at = 0; queue.running > 0; at++) {
    queue.leave(order[at]!);
    await settled();
  }
}

test('a flow with hundreds of calls delays the calls of another by one each', async () => {
  const queue = queueOf();
  const order: string[] = [];
  for (let at = 0; at < 300; at++) enter(queue, 'noisy', order);
  for (let at = 0; at < 5; at++) enter(queue, 'quiet', order);
  await run(queue, order);
  assert.equal(order.length, 305);
  assert.deepEqual(order.slice(0, 11), [
    'noisy',
    ...Array.from({ length: 5 }, () => ['noisy', 'quiet']).flat(),
  ]);
});

test('within a flow calls go in the order in which they came', async () => {
  const queue = queueOf();
  const order: string[] = [];
  for (const name of ['1', '2', '3']) enter(queue, 'one', order, name);
  for (let at = 0; at < 3; at++) {
    queue.leave('one');
    await settled();
  }
  assert.deepEqual(order, ['1', '2', '3']);
});

test('more than one flow may have at once waits, and others pass', async () => {
  const queue = queueOf({ concurrent: 3, perFlow: 2 });
  const order: string[] = [];
  for (let at = 0; at < 4; at++) enter(queue, 'a', order);
  enter(queue, 'b', order);
  assert.deepEqual(order, ['a', 'a', 'b']);
  queue.leave('b');
  await settled();
  assert.deepEqual(order, ['a', 'a', 'b'], 'a free slot is not for a flow that has its share');
  queue.leave('a');
  await settled();
  assert.deepEqual(order, ['a', 'a', 'b', 'a']);
});

test('a full line is refused with the limit, and other lines are open', () => {
  const queue = queueOf({ waiting: 2 });
  const order: string[] = [];
  for (let at = 0; at < 3; at++) enter(queue, 'a', order);
  assert.throws(
    () => queue.enter('a', signal),
    (error) =>
      error instanceof Refusal && error.code === 'too-many-calls' && error.data?.limit === 'limits.queue',
  );
  enter(queue, 'b', order);
  assert.equal(queue.waiting, 3);
});

test('who gives up leaves the line, and nothing of them stays', async () => {
  const told: number[] = [];
  const queue = createFairQueue({ concurrent: 1, perFlow: null, waiting: 10 }, (count) => told.push(count));
  const order: string[] = [];
  enter(queue, 'a', order);
  const leaving = new AbortController();
  const turn = queue.enter('b', leaving.signal);
  enter(queue, 'c', order);
  leaving.abort(new WitboxError('shutting-down'));
  await assert.rejects(turn!, { code: 'shutting-down' });
  queue.leave('a');
  await settled();
  assert.deepEqual(order, ['a', 'c']);
  queue.leave('c');
  queue.leave('c');
  assert.equal(queue.running, 0, 'leaving twice frees nothing that others hold');
  assert.deepEqual(told, [1, 2, 1, 0]);
  assert.throws(() => queue.enter('b', leaving.signal), { code: 'shutting-down' });
});

test('more slots are given out at once, fewer take nothing from who runs', async () => {
  const queue = queueOf();
  const order: string[] = [];
  for (const flow of ['a', 'b', 'c', 'd']) enter(queue, flow, order);
  queue.set({ concurrent: 3, perFlow: null, waiting: 10 });
  await settled();
  assert.deepEqual(order, ['a', 'b', 'c']);
  queue.set({ concurrent: 1, perFlow: null, waiting: 10 });
  queue.leave('a');
  queue.leave('b');
  await settled();
  assert.deepEqual(order, ['a', 'b', 'c']);
  queue.leave('c');
  await settled();
  assert.deepEqual(order, ['a', 'b', 'c', 'd']);
});
