import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTasks } from './tasks.ts';

const tool = { name: 'x', inputSchema: { type: 'object' } };
const done = { kind: 'complete', content: [] } as const;
const never = AbortSignal.abort();
const settle = () => new Promise((resolve) => setImmediate(resolve));

test('a task works, completes, and never changes again', async () => {
  const tasks = createTasks();
  const { id, status } = tasks.create('ada', tool, async () => done);
  assert.equal(status, 'working');
  await settle();
  assert.equal(tasks.get('ada', id).status, 'completed');
  assert.equal(tasks.cancel('ada', id).status, 'completed');
});

test('a task is nobody else’s', () => {
  const tasks = createTasks();
  const { id } = tasks.create('ada', tool, async () => done);
  for (const use of [
    () => tasks.get('eve', id),
    () => tasks.cancel('eve', id),
    () => tasks.answer('eve', id, {}),
    () => tasks.get('ada', `${id}x`),
  ]) {
    assert.throws(use, /Unknown task/);
  }
  assert.match(id, /^[\w-]{24}$/);
});

test('a key asked twice becomes two keys, and answers come back under the tool’s own', async () => {
  const tasks = createTasks();
  const seen: unknown[] = [];
  let round = 0;
  const { id } = tasks.create('ada', tool, async ({ responses }) => {
    seen.push(responses);
    round += 1;
    if (round === 3) return done;
    return { kind: 'input-required', requests: { name: { method: 'roots/list', params: {} } } };
  });
  await settle();
  assert.deepEqual(Object.keys(tasks.get('ada', id).pending), ['name']);
  tasks.answer('ada', id, { other: {}, name: { first: true } });
  await settle();
  assert.deepEqual(Object.keys(tasks.get('ada', id).pending), ['name-2']);
  tasks.answer('ada', id, { name: { old: true }, 'name-2': { second: true } });
  await settle();
  assert.equal(tasks.get('ada', id).status, 'completed');
  assert.deepEqual(seen, [undefined, { name: { first: true } }, { name: { second: true } }]);
});

test('cancelling aborts the work and stays cancelled', async () => {
  const tasks = createTasks();
  const { id } = tasks.create('ada', tool, (_, { signal }) => {
    return new Promise((resolve) => signal.addEventListener('abort', () => resolve(done)));
  });
  tasks.cancel('ada', id);
  await settle();
  assert.equal(tasks.get('ada', id).status, 'cancelled');
  await tasks.changed('ada', id, never);
});

test('a task is forgotten after its ttl and its work aborted; there is a most of them', async () => {
  let time = 0;
  const tasks = createTasks({ now: () => time, maxTasks: 1, maxTtlMs: 5_000 });
  let aborted = false;
  const create = () =>
    tasks.create(
      'ada',
      tool,
      (_, { signal }) =>
        new Promise(() => {
          signal.addEventListener('abort', () => {
            aborted = true;
          });
        }),
      { ttlMs: 1e9 },
    );
  const { id, ttlMs } = create();
  assert.equal(ttlMs, 5_000, 'clamped');
  assert.throws(create, /Too many tasks/);
  time = 5_000;
  assert.throws(() => tasks.get('ada', id), /Unknown task/);
  create();
  assert.ok(aborted);
  tasks.close();
});

test('a failing call is a failed task with its error', async () => {
  const tasks = createTasks();
  const error = new Error('x');
  const { id } = tasks.create('ada', tool, () => Promise.reject(error));
  await settle();
  assert.deepEqual([tasks.get('ada', id).status, tasks.get('ada', id).error], ['failed', error]);
});

test('one holder leaves room for the tasks of others, in however many sessions', () => {
  const tasks = createTasks({ maxTasks: 8 });
  const create = (owner: string, holder: string | null) =>
    tasks.create(owner, tool, async () => done, { holder, ttlMs: 1e9 });
  for (const session of ['1', '2']) create(`eve ${session}`, 'eve');
  assert.throws(() => create('eve 3', 'eve'), /Too many tasks of one caller are open, the limit is 2/);
  create('ada', 'ada');
  for (let at = 0; at < 5; at++) create('somebody', null);
  assert.throws(() => create('ada', 'ada'), /Too many tasks are open, the limit is 8/);
  tasks.close();
});
