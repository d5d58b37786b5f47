import assert from 'node:assert/strict';
import { readdirSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
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

test('closing in the middle of everything ends everything, and leaves nothing to be rejected later', async (t) => {
  const silent = createServer((socket) => void socket.on('error', () => {}));
  const web = createHttpServer((_, response) => void response.write('never ends'));
  for (const server of [silent, web]) {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    t.after(() => server.close());
  }
  const [tcp, http] = [silent, web].map((server) => (server.address() as AddressInfo).port) as [
    number,
    number,
  ];
  const root = temporaryDirectory(t);
  writeFileSync(join(root, 'f'), 'x');
  const host = hostWith(
    t,
    `{storage: {allow: [{uri: "fs://${root}/**", access: [read, write]}]}, network: {allow: [{cidr: 127.0.0.0/8}, {host: slow.test}]}}`,
    { resolve: () => new Promise(() => {}) },
  );
  const dir = await firstDirectory(host);
  const [file] = (await host.ask('fs.open-at', dir, [], 'f', [], ['read', 'write'])) as [number];
  const head = (authority: string) => ['POST', 'http', authority, '/', []];
  const pending = [
    host.ask('fs.sync', file),
    host.ask('http.start', 2, head(`127.0.0.1:${http}`), [null, null, null]),
    host.ask('http.write', 2, Buffer.from('x')),
    host.ask('http.finish', 2, null),
    host.ask('http.read', 2, 10).then(() => host.ask('http.read', 2, 10)),
    host.ask('http.start', 4, head('slow.test'), [null, null, null]),
    host.ask('http.write', 4, Buffer.from('x')),
    host.ask('http.response', 4),
    host.ask('tcp.connect', 6, '127.0.0.1', tcp).then(() => host.ask('tcp.read', 6, 10)),
    host.ask('udp.open', 8, 4).then(() => host.ask('udp.receive', 8, 1)),
    host.ask('net.resolve', 'slow.test'),
  ];
  await new Promise((resolve) => setTimeout(resolve, 50));
  await host.close();
  const settled = await Promise.race([
    Promise.all(pending.slice(0, -1)).then(() => true),
    new Promise((resolve) => void setTimeout(resolve, 5000, false).unref()),
  ]);
  assert.equal(settled, true);
});
