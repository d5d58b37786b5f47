import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Trap } from '../../src/engine/engine.ts';
import type { GuestLog } from '../../src/host/log.ts';
import { guest, runCommand } from '../support/guest.ts';
import { directoryGrant, hostWith, temporaryDirectory } from '../support/host.ts';
import { netGuest } from '../support/net-guest.ts';

test('environment and arguments of the machine stay unknown', async (t) => {
  const host = hostWith(t, '{}', { env: process.env });
  const { out } = await runCommand('process.wasm', host);
  assert.ok(!/^(env|arg) /m.test(out), out);
});

test('a name from the prototype is no environment variable', async (t) => {
  const host = hostWith(t, '{environment: {allow: [{key: constructor}, {key: __proto__}, {key: HOME}]}}', {
    env: { OTHER: '1' },
  });
  assert.deepEqual(await host.ask('begin'), [[], [], [], []]);
});

test('standard input of the machine is not read, and output does not reach its standard output', async (t) => {
  const written: unknown[] = [];
  for (const stream of [process.stdout, process.stderr]) {
    t.mock.method(stream, 'write', (chunk: unknown) => {
      written.push(String(chunk));
      return true;
    });
  }
  const log: GuestLog[] = [];
  const host = hostWith(t, '{}', { onLog: (entry) => log.push(entry) });
  const instance = await guest('hostile.wasm', host);
  assert.equal(await instance.call('print', []), 0);
  const { out } = await runCommand('process.component.wasm', host);
  t.mock.restoreAll();
  assert.ok(!out.includes('in '));
  assert.ok(log.some((entry) => 'bytes' in entry && Buffer.from(entry.bytes).toString() === 'k'));
  assert.ok(!written.some((text) => text === 'k' || String(text).includes('to stderr')));
});

test('output beyond the bound of the log is dropped', async (t) => {
  let bytes = 0;
  const host = hostWith(t, '{}', {
    limits: { logBytes: 1000 },
    onLog: (entry) => {
      bytes += 'bytes' in entry ? entry.bytes.byteLength : 0;
    },
  });
  for (let i = 0; i < 100; i++) await host.ask('log.stdout', Buffer.alloc(100));
  assert.equal(bytes, 1000);
});

const LIES: Readonly<Record<string, number>> = {
  read_outside: 21,
  write_huge: 21,
  write_many: 28,
  result_outside: 21,
  read_negative: 28,
  list_outside: 21,
  list_cookie: 28,
  name_outside: 21,
  stat_outside: 21,
  renumber_bad: 8,
  path_outside: 21,
  path_huge: 37,
  path_bytes: 25,
  path_stdin: 54,
  link_outside: 28,
  poll_many: 28,
  poll_none: 28,
  random_huge: 21,
  args_outside: 21,
  environ_outside: 21,
  clock_unknown: 28,
  send_file: 57,
};

for (const [name, errno] of Object.entries(LIES)) {
  test(`preview 1 answers a lie with an error number: ${name}`, async (t) => {
    const host = hostWith(t, directoryGrant(temporaryDirectory(t)), { args: ['a'] });
    const instance = await guest('hostile.wasm', host);
    assert.equal(await instance.call(name, []), errno);
    assert.equal(await instance.call('print', []), 0);
  });
}

test('huge lengths to every import of WASI 0.2 are clamped or refused before anything is allocated', async (t) => {
  const host = hostWith(t, directoryGrant(temporaryDirectory(t)));
  const fresh = () => netGuest(host);
  const ask = async (what: string): Promise<unknown> => {
    try {
      return await (await fresh()).huge(what);
    } catch (error) {
      assert.ok(error instanceof Trap, `${what}: ${String(error)}`);
      return 'trap';
    }
  };
  assert.equal(await ask('write-much'), 65_536n);
  assert.equal(await ask('read'), 65_536n);
  assert.equal(await ask('read-offset'), 0n);
  assert.equal(await ask('write-offset'), '!file-too-large');
  assert.equal(await ask('set-size'), '!file-too-large');
  assert.equal(await ask('stream-read'), 65_536n);
  assert.equal(await ask('stream-skip'), 65_536n);
  assert.equal(await ask('stream-splice'), 65_536n);
  assert.equal(await ask('stream-write'), 'trap');
  assert.equal(await ask('stream-zeroes'), 'trap');
  assert.equal(await ask('random'), 'trap');
  assert.equal(await ask('path'), '!name-too-long');
  assert.match(String(await ask('segments')), /^!/);
});

test('a flood of handles ends at the bound and leaves the broker well', async (t) => {
  const host = hostWith(t, directoryGrant(temporaryDirectory(t)), { limits: { handles: 50 } });
  const first = await netGuest(host);
  assert.equal(await first.flood('files'), 49);
  assert.equal(await first.path('mkdir', 'still-works'), '');
});

test('a cell that asks for what does not exist gets an error and no more', async (t) => {
  const host = hostWith(t, directoryGrant(temporaryDirectory(t)));
  await host.ask('begin');
  for (const args of [[], [null], [{}], [[]], ['1'], [1.5], [-1], [1n], [Number.NaN], [2 ** 40]]) {
    for (const op of [
      'fs.read',
      'fs.open-at',
      'fs.list',
      'http.start',
      'http.read',
      'tcp.connect',
      'udp.send',
      'kv.get',
      'drop',
    ]) {
      const answer = await host.ask(op, ...args);
      if (!(op === 'drop'))
        assert.match(String(answer), /^!(invalid|bad-descriptor|access-denied)/, `${op} ${args}`);
    }
  }
});
