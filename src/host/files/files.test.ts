import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { linkSync, mkdirSync, readFileSync, renameSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import {
  directoryGrant,
  firstDirectory,
  hostWith,
  type TestHost,
  temporaryDirectory,
} from '../../../test/support/host.ts';
import type { WireValue } from '../../core/port.ts';

async function setUp(t: TestContext, access = 'read, write') {
  const root = temporaryDirectory(t);
  const host = hostWith(t, directoryGrant(root, access));
  const dir = await firstDirectory(host);
  const open = (path: string, flags: string[] = ['read'], openFlags: string[] = []): Promise<WireValue> =>
    host.ask('fs.open-at', dir, ['symlink-follow'], path, openFlags, flags);
  return { root, host, dir, open };
}

const handleOf = (opened: WireValue): number => {
  assert.ok(Array.isArray(opened), `was refused: ${String(opened)}`);
  return opened[0] as number;
};

const textOf = async (host: TestHost, id: number): Promise<string> =>
  Buffer.from((await host.ask('fs.read', id, 0, 1 << 20)) as Uint8Array).toString();

test('a file is created, written, appended to, truncated and read', async (t) => {
  const { root, host, open } = await setUp(t);
  const id = handleOf(await open('a.txt', ['read', 'write'], ['create']));
  assert.equal(await host.ask('fs.write', id, 0, Buffer.from('hello world')), 11);
  assert.deepEqual(await host.ask('fs.append', id, Buffer.from('!')), [1, 12n]);
  assert.equal(await textOf(host, id), 'hello world!');
  await host.ask('fs.set-size', id, 5);
  assert.equal(readFileSync(join(root, 'a.txt'), 'utf8'), 'hello');
  assert.equal(await host.ask('fs.sync', id), null);
  assert.equal(await host.ask('fs.sync-data', id), null);
  handleOf(await open('a.txt', ['write'], ['truncate']));
  assert.equal(statSync(join(root, 'a.txt')).size, 0);
});

test('open flags mean what they mean in POSIX', async (t) => {
  const { root, open } = await setUp(t);
  writeFileSync(join(root, 'f'), 'x');
  mkdirSync(join(root, 'd'));
  assert.equal(await open('missing'), '!no-entry');
  assert.equal(await open('f', ['read', 'write'], ['create', 'exclusive']), '!exist');
  assert.equal(await open('f', ['read'], ['directory']), '!not-directory');
  assert.equal(await open('f/', ['read']), '!not-directory');
  assert.equal(await open('f/x', ['read']), '!not-directory');
  assert.equal(await open('d', ['read', 'write']), '!is-directory');
  assert.equal(await open('d', ['write'], ['truncate']), '!is-directory');
  assert.equal(await open('new/', ['write'], ['create']), '!is-directory');
  handleOf(await open('d/../f'));
  handleOf(await open('./d/.', ['read'], ['directory']));
});

test('rights stay with the descriptor: a file opened for reading is not written', async (t) => {
  const { root, host, open } = await setUp(t);
  writeFileSync(join(root, 'f'), 'x');
  const reader = handleOf(await open('f', ['read']));
  assert.equal(await host.ask('fs.write', reader, 0, Buffer.from('y')), '!bad-descriptor');
  assert.equal(await host.ask('fs.append', reader, Buffer.from('y')), '!bad-descriptor');
  assert.equal(await host.ask('fs.set-size', reader, 0), '!bad-descriptor');
  assert.equal(await host.ask('fs.set-times', reader, 'now', 'now'), '!bad-descriptor');
  const writer = handleOf(await open('f', ['write']));
  assert.equal(await host.ask('fs.read', writer, 0, 10), '!bad-descriptor');
});

test('names are made, moved, linked and removed', async (t) => {
  const { root, host, dir, open } = await setUp(t);
  assert.equal(await host.ask('fs.create-directory-at', dir, 'd'), null);
  assert.equal(await host.ask('fs.create-directory-at', dir, 'd'), '!exist');
  writeFileSync(join(root, 'd', 'f'), 'content');
  assert.equal(await host.ask('fs.rename-at', dir, 'd/f', dir, 'g'), null);
  assert.equal(await host.ask('fs.link-at', dir, [], 'g', dir, 'd/h'), null);
  assert.equal(readFileSync(join(root, 'd', 'h'), 'utf8'), 'content');
  assert.equal(await host.ask('fs.symlink-at', dir, 'd/h', 's'), null);
  assert.equal(await host.ask('fs.readlink-at', dir, 's'), 'd/h');
  assert.equal(await textOf(host, handleOf(await open('s'))), 'content');
  assert.equal(await host.ask('fs.open-at', dir, [], 's', [], ['read']), '!loop');
  assert.equal(await host.ask('fs.remove-directory-at', dir, 'd'), '!not-empty');
  assert.equal(await host.ask('fs.unlink-file-at', dir, 'd'), '!is-directory');
  assert.equal(await host.ask('fs.unlink-file-at', dir, 'd/h'), null);
  assert.equal(await host.ask('fs.remove-directory-at', dir, 'd'), null);
  assert.equal(await open('s'), '!no-entry');
});

test('status tells type, size and times, and times can be set', async (t) => {
  const { root, host, dir, open } = await setUp(t);
  writeFileSync(join(root, 'f'), '12345');
  symlinkSync('f', join(root, 's'));
  const [type, , size] = (await host.ask('fs.stat-at', dir, ['symlink-follow'], 's')) as WireValue[];
  assert.deepEqual([type, size], ['regular-file', 5n]);
  const [linkType] = (await host.ask('fs.stat-at', dir, [], 's')) as WireValue[];
  assert.equal(linkType, 'symbolic-link');
  const when = 1_000_000_000_000_000_000n;
  await host.ask('fs.set-times-at', dir, [], 'f', when, when);
  assert.equal(statSync(join(root, 'f'), { bigint: true }).mtimeNs, when);
  const id = handleOf(await open('f', ['read', 'write']));
  await host.ask('fs.set-times', id, 'no-change', 2n * when);
  const stat = (await host.ask('fs.stat', id)) as WireValue[];
  assert.deepEqual(stat.slice(3, 5), [when, 2n * when]);
  await host.ask('fs.set-times', id, 'now', 'now');
  assert.ok(Math.abs(statSync(join(root, 'f')).mtimeMs - Date.now()) < 60_000);
});

test('a directory is listed whole, in pages, without what no rule allows', async (t) => {
  const root = temporaryDirectory(t);
  for (let i = 0; i < 600; i++) writeFileSync(join(root, `f${i}.txt`), '');
  writeFileSync(join(root, 'private.key'), '');
  const host = hostWith(
    t,
    `{storage: {allow: [{uri: "fs://${root}/**", access: [read]}], deny: [{uri: "fs://${root}/*.key", access: [read, write]}]}}`,
  );
  const listing = (await host.handle('fs.list', [await firstDirectory(host)])) as number;
  const names = new Set<string>();
  for (;;) {
    const page = (await host.handle('fs.list-next', [listing])) as [string, string][];
    if (page.length === 0) break;
    for (const [, name] of page) names.add(name);
  }
  assert.equal(names.size, 600);
  assert.ok(!names.has('private.key'));
});

test('a rule for some files lets exactly those be opened', async (t) => {
  const root = temporaryDirectory(t);
  for (const name of ['a.txt', 'b.txt', 'a.key']) writeFileSync(join(root, name), name);
  const host = hostWith(
    t,
    `{storage: {allow: [{uri: "fs://${root}/*.txt", access: [read]}], deny: [{uri: "fs://${root}/b.txt", access: [read]}]}}`,
  );
  const dir = await firstDirectory(host);
  const open = (path: string) => host.ask('fs.open-at', dir, [], path, [], ['read']);
  handleOf(await open('a.txt'));
  assert.equal(await open('b.txt'), '!access');
  assert.equal(await open('a.key'), '!access');
  assert.equal(await open('missing.key'), '!access');
  assert.equal(await open('missing.txt'), '!no-entry');
  assert.deepEqual(
    host.denials().map(({ permission }) => permission),
    [`b.txt`, 'a.key', 'missing.key'].map((name) => `storage:fs://${root}/${name} (read)`),
  );
});

test('a grant for one file opens its directory and nothing else in it', async (t) => {
  const root = temporaryDirectory(t);
  writeFileSync(join(root, 'one'), '1');
  writeFileSync(join(root, 'two'), '2');
  const host = hostWith(t, `{storage: {allow: [{uri: "fs://${root}/one", access: [read]}]}}`);
  const dir = await firstDirectory(host);
  handleOf(await host.ask('fs.open-at', dir, [], 'one', [], ['read']));
  assert.equal(await host.ask('fs.open-at', dir, [], 'two', [], ['read']), '!access');
});

test('identity of files is told without inode numbers', async (t) => {
  const { root, host, dir, open } = await setUp(t);
  writeFileSync(join(root, 'a'), '');
  writeFileSync(join(root, 'b'), '');
  linkSync(join(root, 'a'), join(root, 'c'));
  const [a, b, c] = [handleOf(await open('a')), handleOf(await open('b')), handleOf(await open('c'))];
  assert.equal(await host.ask('fs.is-same-object', a, c), true);
  assert.equal(await host.ask('fs.is-same-object', a, b), false);
  assert.deepEqual(
    await host.ask('fs.metadata-hash', a),
    await host.ask('fs.metadata-hash-at', dir, [], 'c'),
  );
  assert.notDeepEqual(await host.ask('fs.metadata-hash', a), await host.ask('fs.metadata-hash', b));
});

test('a directory that was moved out of the granted one is no longer reached', async (t) => {
  const { root, host, open } = await setUp(t);
  const elsewhere = temporaryDirectory(t);
  mkdirSync(join(root, 'd'));
  writeFileSync(join(root, 'd', 'f'), 'x');
  const inner = handleOf(await open('d', ['read'], ['directory']));
  renameSync(join(root, 'd'), join(elsewhere, 'd'));
  assert.equal(await host.ask('fs.open-at', inner, [], 'f', [], ['read']), '!not-permitted');
  assert.equal(await host.ask('fs.create-directory-at', inner, 'new'), '!not-permitted');
});

test('devices and pipes are never opened', { skip: process.platform === 'win32' }, async (t) => {
  const { root, open } = await setUp(t);
  execFileSync('sh', ['-c', 'mkfifo "$0"', join(root, 'pipe')]);
  assert.equal(await open('pipe'), '!not-permitted');
  assert.equal(await open('pipe', ['write']), '!not-permitted');
});

test('dropping the granted directory leaves what was opened through it usable', async (t) => {
  const { root, host, dir, open } = await setUp(t);
  mkdirSync(join(root, 'd'));
  writeFileSync(join(root, 'd', 'f'), 'x');
  const inner = handleOf(await open('d'));
  await host.ask('drop', dir);
  assert.equal(await host.ask('fs.stat', dir), '!bad-descriptor');
  handleOf(await host.ask('fs.open-at', inner, [], 'f', [], ['read']));
});
