// The life of cells: fresh instances, sessions, growing with load, giving way to others, ending when idle.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fixture, heldHost, bareHost as host, isAlive, until } from '../../test/support/cells.ts';
import { type CellsOptions, createCells, type Loaded } from './cells.ts';
import type { Outcome } from './outcome.ts';

async function withCells(
  options: CellsOptions,
  run: (cells: Awaited<ReturnType<typeof createCells>>) => Promise<void>,
): Promise<void> {
  const cells = await createCells(options);
  try {
    await run(cells);
  } finally {
    await cells.close();
  }
}

const json = (outcome: Outcome): string => (outcome.kind === 'ok' ? outcome.json : JSON.stringify(outcome));
const count = async (loaded: Loaded, session?: string): Promise<string> =>
  json(await loaded.call(['count'], {}, session === undefined ? { host } : { host, session }));

test('a call sees a fresh instance, a session keeps its own', () =>
  withCells({ warm: 0 }, async (cells) => {
    const fresh = await cells.load({ id: 'fresh', bytes: fixture('ask.wasm') });
    assert.deepEqual([await count(fresh), await count(fresh), await count(fresh, 'a')], ['1', '1', '1']);
    fresh.unload();
    const kept = await cells.load({ id: 'kept', bytes: fixture('ask.wasm'), instance: 'session' });
    assert.deepEqual(
      [await count(kept, 'a'), await count(kept, 'b'), await count(kept, 'a')],
      ['1', '1', '2'],
    );
    assert.equal(await count(kept), '1');
    kept.endSession('a');
    assert.deepEqual([await count(kept, 'a'), await count(kept, 'b')], ['1', '2']);
    // Calls of one session come one after the other, also when they wait for the host.
    const held = heldHost();
    const [waits, counted] = [
      kept.call(['ask'], {}, { host: () => held, session: 'c' }),
      kept.call(['count'], {}, { host, session: 'c' }),
    ];
    held.release();
    assert.deepEqual([json(await waits), json(await counted)], ['1', '1']);
  }));

test('sessions are bounded: the one that was idle longest starts anew, each call has a host of its own', () =>
  withCells({ warm: 0, cellsPerComponent: 1, sessions: 2 }, async (cells) => {
    const kept = await cells.load({ id: 'kept', bytes: fixture('ask.wasm'), instance: 'session' });
    for (const session of ['a', 'b', 'a', 'c']) await count(kept, session);
    assert.deepEqual([await count(kept, 'a'), await count(kept, 'b')], ['3', '1']);
    const hosts = [heldHost(), heldHost()];
    for (const held of hosts) {
      held.release();
      assert.equal(json(await kept.call(['ask'], {}, { host: () => held, session: 'b' })), '1');
      assert.equal(held.closed, true);
    }
  }));

test('while a guest waits for its host, the same cell serves others', () =>
  withCells({ warm: 0, cellsPerComponent: 1 }, async (cells) => {
    const ask = await cells.load({ id: 'ask', bytes: fixture('ask.wasm') });
    const hosts = Array.from({ length: 20 }, heldHost);
    const waiting = hosts.map((held) => ask.call(['ask'], {}, { host: () => held }));
    await Promise.all(hosts.map(({ asked }) => asked));
    assert.equal(json(await ask.call(['add'], { a: 2, b: 3 }, { host })), '5');
    assert.equal(cells.stats().pids.length, 1);
    for (const held of hosts) held.release();
    assert.deepEqual(
      (await Promise.all(waiting)).map(json),
      hosts.map(() => '1'),
    );
    assert.ok(hosts.every(({ closed }) => closed));
  }));

test('cells grow with load and end when idle, empty ones wait', () =>
  withCells({ warm: 1, cellsPerComponent: 2, idleMs: 200, window: 4 }, async (cells) => {
    const add = await cells.load({ id: 'add', bytes: fixture('add.wasm') });
    const outcomes = await Promise.all(
      Array.from({ length: 500 }, (_, i) => add.call(['add'], { a: i, b: 1 }, { host })),
    );
    assert.deepEqual(
      outcomes.map(json),
      outcomes.map((_, i) => `${i + 1}`),
    );
    await until(() => cells.stats().warm === 1, 'an empty cell waits');
    await until(() => cells.stats().cells === 0, 'idle cells ended');
    assert.equal(json(await add.call(['add'], { a: 1, b: 1 }, { host })), '2');
  }));

test('a queue that is full says so, and what was in it is served', () =>
  withCells({ warm: 0, cellsPerComponent: 1, window: 1, concurrent: 1, queue: 2 }, async (cells) => {
    const ask = await cells.load({ id: 'ask', bytes: fixture('ask.wasm') });
    const held = heldHost();
    const first = ask.call(['ask'], {}, { host: () => held });
    const queued = [1, 2].map((a) => ask.call(['add'], { a, b: 0 }, { host }));
    await assert.rejects(
      ask.call(['add'], { a: 1, b: 1 }, { host }),
      /Too many calls are waiting .*"ask".* 2/,
    );
    const stop = new AbortController();
    stop.abort();
    held.release();
    assert.equal(json(await first), '1');
    assert.deepEqual((await Promise.all(queued)).map(json), ['1', '2']);
  }));

test('components share few places: each gets its turn, also beside one that never rests', () =>
  withCells({ warm: 0, maxCells: 1 }, async (cells) => {
    const busy = await cells.load({ id: 'busy', bytes: fixture('add.wasm') });
    let resting = false;
    const load = Promise.all(
      Array.from({ length: 4 }, async () => {
        while (!resting) assert.equal(json(await busy.call(['add'], { a: 1, b: 1 }, { host })), '2');
      }),
    );
    const ask = await cells.load({ id: 'ask', bytes: fixture('ask.wasm') });
    assert.equal(json(await ask.call(['add'], { a: 1, b: 1 }, { host })), '2');
    resting = true;
    await load;
    assert.ok(cells.stats().cells <= 1);
  }));

test('what cannot be loaded is told, and leaves no process', () =>
  withCells({ warm: 0 }, async (cells) => {
    await assert.rejects(
      cells.load({ id: 'text', bytes: Buffer.from('not a component') }),
      /Cannot load component "text"/,
    );
    await until(() => cells.stats().pids.every((pid) => !isAlive(pid)), 'no process is left');
  }));

test('a Node that cannot be started is told with a reason', () =>
  withCells({ warm: 0, node: '/nowhere/node' }, async (cells) => {
    await assert.rejects(cells.load({ id: 'add', bytes: fixture('add.wasm') }), /Cannot start a cell: /);
  }));

test('a program takes arguments and standard input and gives standard output or its status', () =>
  withCells({ warm: 0 }, async (cells) => {
    const program = await cells.load({ id: 'program', bytes: fixture('program.wasm') });
    assert.deepEqual(
      program.description.functions.map(({ path }) => path),
      [['main']],
    );
    assert.equal(json(await program.call(['main'], { stdin: 'grüße' }, { host })), '"grüße"');
    const failed = await program.call(['main'], { stdin: 'x', args: ['a', 'b'] }, { host });
    assert.deepEqual(failed.kind === 'err' && JSON.parse(failed.json), { status: 2, stdout: 'x' });
    const large = await program.call(
      ['main'],
      { stdin: 'x'.repeat(500) },
      { host, limits: { outputBytes: 100 } },
    );
    assert.equal(large.kind, 'output');
  }));
