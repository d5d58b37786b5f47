// Kills at random moments: whatever was going on, the state is one that some change left whole, and the next process
// goes on from there. Real processes, real SIGKILL.

import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { withLock } from './lock.ts';
import { currentProcess, processState } from './process-identity.ts';
import { createStore } from './store.ts';

const CHURN = resolve(import.meta.dirname, '../../test/store/churn.ts');

async function temporary(t: TestContext): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'witbox-crash-'));
  t.after(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

async function startChurn(directory: string, seed: number): Promise<ChildProcess> {
  const child = spawn(process.execPath, [CHURN, directory, String(seed)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let complaint = '';
  child.stderr!.on('data', (chunk) => (complaint += chunk));
  child.once('exit', (code) => assert.equal(code, null, `it must run until it is killed: ${complaint}`));
  await once(child.stdout!, 'data');
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}

async function assertWhole(directory: string): Promise<void> {
  const store = createStore(directory);
  for (const { id, size, digest } of store.list()) {
    const bytes = await store.bytes(id);
    assert.equal(bytes.byteLength, size);
    for (const { name } of store.policy(id).environment.allow) {
      assert.ok(
        name.startsWith(`K_${digest.slice(7, 15)}_`),
        `${name} was granted to other bytes than ${digest}`,
      );
    }
  }
}

test('a store survives SIGKILL at any moment', async (t) => {
  const directory = await temporary(t);
  for (let round = 0; round < 8; round += 1) {
    const children = await Promise.all([
      startChurn(directory, 2 * round),
      startChurn(directory, 2 * round + 1),
    ]);
    await sleep(20 + 25 * round);
    await Promise.all(children.map(kill));
    await assertWhole(directory);
  }
  // The next change recovers the lock, and sweeps what the dead left behind.
  const store = createStore(directory);
  await store.load({ uri: 'file:///last.wasm', name: 'last.wasm', bytes: new Uint8Array(8) });
  await assertWhole(directory);
  assert.deepEqual(await readdir(join(directory, 'tmp')), []);
  const ids = store.list().map(({ id }) => id);
  assert.deepEqual((await readdir(join(directory, 'components'))).toSorted(), ids.toSorted());
});

test('a lock is held by one at a time, within a process as well', async (t) => {
  const path = join(await temporary(t), 'lock');
  let inside = 0;
  let turns = 0;
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      for (let i = 0; i < 5; i += 1) {
        await withLock(path, async () => {
          inside += 1;
          assert.equal(inside, 1);
          await sleep(1);
          inside -= 1;
          turns += 1;
        });
      }
    }),
  );
  assert.equal(turns, 40);
  await assert.rejects(access(path));
});

test('a lock that is not let go of is an error that names its holder', async (t) => {
  const path = join(await temporary(t), 'lock');
  await withLock(path, async () => {
    await assert.rejects(
      withLock(path, async () => {}, 20),
      { code: 'store-locked', message: new RegExp(String(process.pid)) },
    );
  });
});

test('the lock of a process that is gone is recovered by exactly one of many', async (t) => {
  const path = join(await temporary(t), 'lock');
  const self = currentProcess();
  const ended = spawn(process.execPath, ['--version'], { stdio: 'ignore' });
  await once(ended, 'exit');
  for (const dead of [
    { ...self, pid: ended.pid! },
    { ...self, start: '1' },
    { ...self, boot: 'another boot' },
  ]) {
    await writeFile(path, JSON.stringify({ ...dead, token: '0123456789abcdef' }));
    let inside = 0;
    await Promise.all(
      Array.from({ length: 6 }, () =>
        withLock(path, async () => {
          inside += 1;
          assert.equal(inside, 1);
          await sleep(1);
          inside -= 1;
        }),
      ),
    );
  }
});

test('the removal of a dead lock is itself recovered', async (t) => {
  const path = join(await temporary(t), 'lock');
  const dead = { ...currentProcess(), boot: 'another boot' };
  await writeFile(path, JSON.stringify({ ...dead, token: '0123456789abcdef' }));
  await writeFile(`${path}.0123456789abcdef`, JSON.stringify({ ...dead, token: 'fedcba9876543210' }));
  assert.equal(await withLock(path, async () => 'mine'), 'mine');
});

test('a process of another machine is neither running nor gone', () => {
  const self = currentProcess();
  assert.equal(processState(self, self), 'running');
  assert.equal(processState({ ...self, place: 'elsewhere' }, self), 'unknown');
});
