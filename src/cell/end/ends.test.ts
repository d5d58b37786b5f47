// Every way in which a call can end, each with a real guest that misbehaves in a real cell, and what it does to others.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  descendants,
  fixture,
  heldHost,
  bareHost as host,
  isAlive,
  until,
} from '../../../test/support/cells.ts';
import { type Cells, createCells, type Loaded } from '../cells.ts';
import type { Failure, Outcome } from '../outcome.ts';

let cells: Cells;
let misbehave: Loaded;
let ask: Loaded;

before(async () => {
  cells = await createCells({ heapMb: 64 });
  misbehave = await cells.load({ id: 'misbehave', bytes: fixture('misbehave.wasm') });
  ask = await cells.load({ id: 'ask', bytes: fixture('ask.wasm') });
});
after(() => cells.close());

function ended(outcome: Outcome, kind: Failure, message: RegExp): void {
  assert.equal(outcome.kind, kind, JSON.stringify(outcome));
  assert.match('message' in outcome ? outcome.message : '', message);
}

async function stillServes(loaded: Loaded): Promise<void> {
  const outcome = await loaded.call(
    ['add'],
    loaded.description.kind === 'module' ? { p0: 1, p1: 2 } : { a: 1, b: 2 },
    { host },
  );
  assert.equal(outcome.kind === 'ok' && outcome.json, '3', JSON.stringify(outcome));
}

test('timeout: a guest that loops is killed, its neighbours may try again, the cell is replaced', async () => {
  const waiting = heldHost();
  const neighbour = ask.call(['ask'], {}, { host: () => waiting });
  await waiting.asked;
  const outcome = await ask.call(['loop'], {}, { host, limits: { wallMs: 100 } });
  ended(outcome, 'timeout', /longer than 100 ms/);
  assert.ok(outcome.wallMs < 100 + 1000);
  const other = await neighbour;
  ended(other, 'interrupted', /try again/);
  assert.equal('retryable' in other && other.retryable, true);
  assert.equal(waiting.closed, true);
  await stillServes(ask);
});

test('timeout: calls of a component that only computes, still behind the loop, go to the next cell', async () => {
  const own = await createCells({ warm: 1, cellsPerComponent: 1 });
  const loaded = await own.load({ id: 'misbehave', bytes: fixture('misbehave.wasm') });
  // The answer before the loop travels alone: the loop must not hold it back, nor be taken for it.
  const ahead = loaded.call(['trap'], {}, { host });
  const loop = loaded.call(['loop'], {}, { host, limits: { wallMs: 200 } });
  const behind = [1, 2, 3, 4].map((p0) => loaded.call(['add'], { p0, p1: 1 }, { host }));
  ended(await ahead, 'trap', /unreachable/);
  ended(await loop, 'timeout', /longer than 200 ms/);
  assert.deepEqual(
    (await Promise.all(behind)).map((outcome) => outcome.kind === 'ok' && outcome.json),
    ['2', '3', '4', '5'],
  );
  await own.close();
});

test('timeout: a guest that waits for its host longer than it may is ended too', async () => {
  const waiting = heldHost();
  ended(await ask.call(['ask'], {}, { host: () => waiting, limits: { wallMs: 100 } }), 'timeout', /100 ms/);
  await stillServes(ask);
});

test('timeout: a guest that loops while another waits within the cell is the one that is blamed', async () => {
  const own = await createCells({ warm: 0, cellsPerComponent: 1 });
  const loaded = await own.load({ id: 'sleep', bytes: fixture('sleep.wasm') });
  const slept = await loaded.call(['sleep'], { nanoseconds: 1_000_000 }, { host });
  assert.equal(slept.kind, 'ok', JSON.stringify(slept));
  const sleeps = loaded.call(['sleep'], { nanoseconds: 20_000_000_000 }, { host });
  const loop = await loaded.call(['loop'], {}, { host, limits: { wallMs: 100 } });
  ended(loop, 'timeout', /longer than 100 ms/);
  ended(await sleeps, 'interrupted', /try again/);
  await own.close();
});

test('cpu: a guest that computes longer than it may is killed', {
  skip: process.platform !== 'linux',
}, async () => {
  const limits = { wallMs: 60_000, cpuMs: 150 };
  ended(await misbehave.call(['loop'], {}, { host, limits }), 'cpu', /150 ms of processor time/);
  await stillServes(misbehave);
});

test('cancel: a guest that waits gives up and its cell goes on', async () => {
  // A cell that does not get the processor in time to say so is ended like one that cannot: then once more.
  for (let left = 5; !(await givesUpAlone()); left -= 1) assert.ok(left > 0, 'the cell never goes on');
});

/** Whether the neighbour of a cancelled call and all cells went on. */
async function givesUpAlone(): Promise<boolean> {
  await stillServes(ask);
  const { pids } = cells.stats();
  const stop = new AbortController();
  const waiting = heldHost();
  const neighbour = heldHost();
  const call = ask.call(['ask'], {}, { host: () => waiting, signal: stop.signal });
  const other = ask.call(['ask'], {}, { host: () => neighbour });
  await Promise.all([waiting.asked, neighbour.asked]);
  stop.abort();
  ended(await call, 'cancelled', /cancelled/);
  assert.equal(waiting.closed, true);
  await until(() => cells.stats().calls <= 1, 'the cell gave up the call');
  neighbour.release();
  return (await other).kind === 'ok' && pids.every((pid) => isAlive(pid));
}

test('cancel: a guest that runs is killed with its cell', async () => {
  const stop = new AbortController();
  const call = misbehave.call(['loop'], {}, { host, signal: stop.signal });
  setTimeout(() => stop.abort(), 100);
  ended(await call, 'cancelled', /cancelled/);
  await until(() => cells.stats().calls === 0, 'the looping cell is gone');
  await stillServes(misbehave);
});

test('cancel: a call that is cancelled before it began never runs', async () => {
  const outcome = await ask.call(['add'], { a: 1, b: 2 }, { host, signal: AbortSignal.abort() });
  ended(outcome, 'cancelled', /cancelled/);
});

test('memory: linear memory and tables stop at their limits and the guest sees it', async () => {
  const small = await cells.load({
    id: 'small',
    bytes: fixture('misbehave.wasm'),
    limits: { memoryBytes: 4 << 20 },
  });
  const outcome = await small.call(['grow'], {}, { host });
  assert.ok(outcome.kind === 'ok' && Number(outcome.json) <= 64, JSON.stringify(outcome));
  const table = await small.call(['grow-table'], {}, { host });
  // Tables lie in the heap of the cell, which is small here: whichever limit comes first.
  const stopped = table.kind === 'ok' ? Number(table.json) <= 1_000_000 : table.kind === 'memory';
  assert.ok(stopped, JSON.stringify(table));
  small.unload();
});

test('memory: a guest that hoards outside linear memory ends, others may try again', async () => {
  const hoard = await cells.load({ id: 'hoard', bytes: fixture('hoard.wasm') });
  ended(await hoard.call(['hoard'], {}, { host }), 'memory', /more memory/);
  await stillServes(hoard);
  hoard.unload();
});

test('trap: the instance is thrown away and the cell goes on', async () => {
  await stillServes(misbehave);
  const { pids } = cells.stats();
  ended(await misbehave.call(['trap'], {}, { host }), 'trap', /unreachable/);
  ended(await misbehave.call(['recurse'], { p0: 0 }, { host }), 'trap', /stack/);
  await stillServes(misbehave);
  assert.deepEqual(
    pids.filter((pid) => isAlive(pid)),
    pids,
  );
});

test('exit: the guest ends itself alone', async () => {
  const failed = await ask.call(['quit'], { failed: true }, { host });
  ended(failed, 'exit', /status 1/);
  const outcome = await ask.call(['quit'], { failed: false }, { host });
  ended(outcome, 'exit', /status 0/);
  assert.equal('code' in outcome && outcome.code, 0);
  await stillServes(ask);
});

test('crash: a cell that is killed from outside tells its calls, and the next call has a new one', async () => {
  const waiting = heldHost();
  const call = ask.call(['ask'], {}, { host: () => waiting });
  await waiting.asked;
  const { pids } = cells.stats();
  for (const pid of pids) process.kill(pid, 'SIGKILL');
  const outcome = await call;
  ended(outcome, 'crashed', /unexpectedly/);
  assert.equal('retryable' in outcome && outcome.retryable, true);
  await until(() => !cells.stats().pids.some((pid) => pids.includes(pid)), 'the broker knows');
  await stillServes(ask);
});

test('output: a result that is too large is not passed on', async () => {
  const loud = await cells.load({ id: 'loud', bytes: fixture('loud.wasm'), limits: { outputBytes: 1000 } });
  ended(await loud.call(['text'], { size: 2000 }, { host }), 'output', /larger than 1000 bytes/);
  const fits = await loud.call(['text'], { size: 900 }, { host });
  assert.equal(fits.kind === 'ok' && fits.json.length, 902);
  const large = await loud.call(['text'], { size: 10 << 20 }, { host, limits: { outputBytes: 12 << 20 } });
  assert.equal(large.kind === 'ok' && large.json.length, (10 << 20) + 2);
  loud.unload();
});

test('misfit: arguments that do not fit are told by path, and the guest does not run', async () => {
  ended(await ask.call(['add'], { a: 1, b: 'two' }, { host }), 'misfit', /\$\.b/);
  await assert.rejects(async () => ask.call(['nothing'], {}, { host }), /no function "nothing"/);
});

test('shutdown: every call is told, every process is gone', async () => {
  const own = await createCells({ warm: 1 });
  const loaded = await own.load({ id: 'ask', bytes: fixture('ask.wasm') });
  const waiting = heldHost();
  const call = loaded.call(['ask'], {}, { host: () => waiting });
  const looping = loaded.call(['ask-then-loop'], {}, { host });
  await waiting.asked;
  const pids = own.stats().pids.flatMap((pid) => [pid, ...descendants(pid)]);
  assert.ok(pids.length >= 1);
  await own.close();
  ended(await call, 'shutdown', /shutting down/);
  ended(await looping, 'shutdown', /shutting down/);
  await until(() => !pids.some(isAlive), 'all cells are gone');
  await assert.rejects(async () => loaded.call(['add'], { a: 1, b: 2 }, { host }), /shutting down/);
});
