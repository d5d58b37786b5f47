import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import { directoryGrant, firstDirectory, hostWith, temporaryDirectory } from '../../test/support/host.ts';
import type { GuestLog } from './log.ts';

test('a guest sees granted environment variables and configuration alone', async (t) => {
  const host = hostWith(t, '{environment: {allow: [{key: A}, {key: GONE}]}, config: {allow: [{key: c}]}}', {
    env: { A: '1', SECRET: '2', GONE: undefined },
    args: ['tool', '-x'],
    config: { c: '3', d: '4' },
  });
  assert.deepEqual(await host.ask('begin'), [[['A', '1']], ['tool', '-x'], [['c', '3']], []]);
});

test('output and log messages reach the log of the call, up to the limit', async (t) => {
  const entries: GuestLog[] = [];
  const host = hostWith(t, '{}', { limits: { logBytes: 8 }, onLog: (entry) => entries.push(entry) });
  await host.ask('log.stdout', Buffer.from('12345'));
  await host.ask('log.stderr', Buffer.from('67890'));
  await host.ask('log.message', 'info', 'c', 'too late');
  assert.deepEqual(
    entries.map((entry) => ('bytes' in entry ? [entry.source, String(entry.bytes)] : entry)),
    [
      ['stdout', '12345'],
      ['stderr', '678'],
    ],
  );
});

test('unknown operations and wrong arguments are refused', async (t) => {
  const host = hostWith(t, '{}');
  for (const op of ['nope', '__proto__', 'constructor', 'toString', '']) {
    assert.equal(await host.ask(op), '!unsupported');
  }
  assert.equal(await host.ask('fs.read', 'x', 0, 1), '!invalid');
  assert.equal(await host.ask('fs.read', 1, -1, 1), '!bad-descriptor');
  assert.equal(await host.ask('drop', 1.5), '!invalid');
});

test('handles are bounded, of one kind, and all closed at the end', async (t) => {
  const root = temporaryDirectory(t);
  const open = (): number => readdirSync('/proc/self/fd').length;
  const before = process.platform === 'linux' ? open() : 0;
  const host = hostWith(t, directoryGrant(root), { limits: { handles: 10 } });
  const dir = await firstDirectory(host);
  const opened = [];
  for (let i = 0; i < 20; i++) opened.push(await host.ask('fs.open-at', dir, [], '.', [], ['read']));
  assert.equal(opened.filter((one) => one === '!insufficient-memory').length, 11);
  assert.equal(await host.ask('fs.list-next', dir), '!bad-descriptor');
  await host.close();
  assert.equal(await host.ask('begin'), '!bad-descriptor');
  if (process.platform === 'linux') assert.equal(open(), before);
});
