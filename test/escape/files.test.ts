import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import {
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import {
  directoryGrant,
  firstDirectory,
  hostWith,
  type TestHost,
  temporaryDirectory,
} from '../support/host.ts';
import { type NetGuest, netGuest } from '../support/net-guest.ts';

interface Scene {
  /** Has `granted/`, which the guest gets, and `secret`, which it must never see. */
  readonly outside: string;
  readonly granted: string;
  readonly host: TestHost;
  readonly guest: NetGuest;
}

async function scene(t: TestContext, access = 'read, write'): Promise<Scene> {
  const outside = temporaryDirectory(t);
  const granted = join(outside, 'granted');
  mkdirSync(granted);
  writeFileSync(join(outside, 'secret'), 'SECRET');
  writeFileSync(join(granted, 'own'), 'own');
  mkdirSync(join(granted, 'dir'));
  const host = hostWith(t, directoryGrant(granted, access));
  return { outside, granted, host, guest: await netGuest(host) };
}

const READS = ['read', 'stat', 'hash', 'list'] as const;
const CHANGES = ['write', 'truncate', 'create', 'mkdir', 'rmdir', 'unlink', 'set-times'] as const;

async function refused(guest: NetGuest, path: string, expected = /^!(not-permitted|loop)$/): Promise<void> {
  for (const operation of [...READS, ...CHANGES, 'readlink', 'open-mutable']) {
    assert.match(await guest.path(operation, path, 'x'), expected, `${operation} ${path}`);
  }
}

test('a guest cannot leave its directory by ..', async (t) => {
  const { guest, outside, host } = await scene(t);
  for (const path of [
    '../secret',
    'dir/../../secret',
    './/./../secret',
    'dir/../dir/../../granted/../secret',
  ]) {
    await refused(guest, path);
  }
  assert.equal(readFileSync(join(outside, 'secret'), 'utf8'), 'SECRET');
  assert.match(host.denials()[0]!.reason, /leaves the granted directory/);
});

test('a guest cannot leave by an absolute path, nor through /proc', async (t) => {
  const { guest, outside } = await scene(t);
  for (const path of [join(outside, 'secret'), '/etc/passwd', '/proc/self/environ', '//etc/passwd', '/']) {
    await refused(guest, path);
  }
});

test('a guest cannot leave through a link to an absolute path', async (t) => {
  const { guest, granted, outside } = await scene(t);
  symlinkSync(join(outside, 'secret'), join(granted, 'link'));
  symlinkSync(outside, join(granted, 'out'));
  for (const operation of ['read', 'stat', 'hash', 'truncate', 'truncate-write']) {
    assert.equal(await guest.path(operation, 'link'), '!not-permitted', operation);
  }
  await refused(guest, 'out/secret');
  assert.equal(await guest.path('readlink', 'link'), '!not-permitted');
  assert.equal(readFileSync(join(outside, 'secret'), 'utf8'), 'SECRET');
});

test('a guest cannot leave through a chain of relative links', async (t) => {
  const { guest, granted } = await scene(t);
  symlinkSync('../secret', join(granted, 'a'));
  symlinkSync('dir/../b', join(granted, 'c'));
  symlinkSync('a', join(granted, 'b'));
  symlinkSync('../..', join(granted, 'dir', 'up'));
  assert.equal(await guest.path('read', 'a'), '!not-permitted');
  assert.equal(await guest.path('read', 'c'), '!not-permitted');
  await refused(guest, 'dir/up/secret');
  await refused(guest, 'dir/up/granted/../secret');
});

test('a loop of links ends', async (t) => {
  const { guest, granted } = await scene(t);
  symlinkSync('y', join(granted, 'x'));
  symlinkSync('x', join(granted, 'y'));
  assert.equal(await guest.path('read', 'x'), '!loop');
  assert.equal(await guest.path('read', 'x/z'), '!loop');
});

test('a guest cannot make a link that points out', async (t) => {
  const { guest, granted } = await scene(t);
  for (const aim of ['/etc/passwd', '../secret', 'dir/../../secret', '..', 'dir/..']) {
    assert.equal(await guest.path('symlink', aim, 'link'), '!not-permitted', aim);
  }
  assert.equal(await guest.path('symlink', '../own', 'dir/fine'), '');
  assert.equal(await guest.path('read', 'dir/fine'), 'own');
  assert.ok(!existsSync(join(granted, 'link')));
});

test('moving a link must not make it point out', async (t) => {
  const { guest, granted } = await scene(t);
  assert.equal(await guest.path('mkdir', 'dir/deep'), '');
  assert.equal(await guest.path('symlink', '../../own', 'dir/deep/link'), '');
  assert.equal(await guest.path('rename', 'dir/deep/link', 'link'), '!not-permitted');
  assert.equal(await guest.path('rename', 'dir/deep', 'shallow'), '!not-permitted');
  assert.ok(existsSync(join(granted, 'dir', 'deep', 'link')));
});

test('a rename reaches neither in from outside nor out', async (t) => {
  const { guest, outside } = await scene(t);
  assert.equal(await guest.path('rename', 'own', '../stolen'), '!not-permitted');
  assert.equal(await guest.path('rename', '../secret', 'mine'), '!not-permitted');
  assert.equal(await guest.path('rename', 'own', 'dir/../../x'), '!not-permitted');
  assert.ok(!existsSync(join(outside, 'stolen')));
});

test('a hard link reaches neither in from outside nor out, nor through a link', async (t) => {
  const { guest, granted, outside } = await scene(t);
  symlinkSync('../secret', join(granted, 'link'));
  assert.equal(await guest.path('link', '../secret', 'mine'), '!not-permitted');
  assert.equal(await guest.path('link', 'own', '../theirs'), '!not-permitted');
  assert.equal(await guest.path('link-follow', 'link', 'mine'), '!invalid');
  assert.equal(await guest.path('link', 'link', 'mine'), '!not-permitted');
  assert.equal(await guest.path('link', 'dir', 'mine'), '!not-permitted');
  assert.equal(statSync(join(outside, 'secret')).nlink, 1);
});

test('a hard link or a new name gives no right that the old name did not have', async (t) => {
  const root = temporaryDirectory(t);
  for (const dir of ['drop', 'open', 'look']) mkdirSync(join(root, dir));
  writeFileSync(join(root, 'drop', 'f'), 'SECRET');
  writeFileSync(join(root, 'look', 'g'), 'read me');
  const rule = (dir: string, access: string): string =>
    `{uri: "fs://${root}/${dir}/**", access: [${access}]}`;
  const host = hostWith(
    t,
    `{storage: {allow: [${rule('drop', 'write')}, ${rule('open', 'read, write')}, ${rule('look', 'read')}, {uri: "fs://${root}/*", access: [read]}]}}`,
  );
  const guest = await netGuest(host);
  assert.equal(await guest.path('read', 'drop/f'), '!access');
  assert.equal(await guest.path('rename', 'drop/f', 'open/f'), '!access');
  assert.equal(await guest.path('link', 'drop/f', 'open/f'), '!access');
  assert.equal(await guest.path('link', 'look/g', 'open/g'), '!access');
  assert.equal(await guest.path('rename', 'drop', 'open/drop'), '!access');
  assert.equal(readFileSync(join(root, 'look', 'g'), 'utf8'), 'read me');
});

test('a denied file is not reached by another name for it', async (t) => {
  const root = temporaryDirectory(t);
  mkdirSync(join(root, 'sub'));
  writeFileSync(join(root, 'sub', 'id.key'), 'SECRET');
  symlinkSync('sub/id.key', join(root, 'alias.txt'));
  const host = hostWith(
    t,
    `{storage: {allow: [{uri: "fs://${root}/**", access: [read, write]}], deny: [{uri: "fs://${root}/**/*.key", access: [read, write]}]}}`,
  );
  const guest = await netGuest(host);
  for (const path of ['sub/id.key', 'alias.txt', './sub/../sub/id.key', 'sub//id.key']) {
    assert.equal(await guest.path('read', path), '!access', path);
  }
  assert.equal(await guest.path('rename', 'sub', 'moved'), '!access');
  assert.equal(await guest.path('rename', 'sub/id.key', 'id.txt'), '!access');
  assert.equal(await guest.path('list', 'sub'), '');
});

test('reading only means reading only, for every operation that changes something', async (t) => {
  const { guest, granted } = await scene(t, 'read');
  for (const operation of [...CHANGES, 'truncate-write']) {
    for (const path of ['own', 'dir', 'new']) {
      assert.match(await guest.path(operation, path, 'x'), /^!(read-only|access)$/, `${operation} ${path}`);
    }
  }
  assert.equal(await guest.path('open-mutable', 'dir'), '!read-only');
  assert.equal(await guest.path('mkdir-below', 'dir', 'new'), '!read-only');
  assert.equal(await guest.path('set-size', 'own'), '!bad-descriptor');
  assert.equal(await guest.path('rename', 'own', 'other'), '!read-only');
  assert.equal(await guest.path('link', 'own', 'other'), '!read-only');
  assert.equal(await guest.path('symlink', 'own', 'other'), '!read-only');
  assert.equal(await guest.path('read', 'own'), 'own');
  assert.equal(readFileSync(join(granted, 'own'), 'utf8'), 'own');
});

test('opening with truncation does not empty a file that may only be read', async (t) => {
  const { granted, host } = await scene(t, 'read');
  const dir = await firstDirectory(host);
  for (const flags of [['read'], ['write'], ['read', 'write'], []]) {
    const answer = await host.ask('fs.open-at', dir, [], 'own', ['truncate'], flags);
    assert.equal(answer, '!read-only');
  }
  assert.equal(readFileSync(join(granted, 'own'), 'utf8'), 'own');
});

test('strange names are refused or are just names', async (t) => {
  const { guest } = await scene(t);
  assert.equal(await guest.path('read', ''), '!no-entry');
  assert.equal(await guest.path('mkdir', ''), '!no-entry');
  assert.equal(await guest.path('read', 'own\0/../../secret'), '!invalid');
  assert.equal(await guest.path('symlink', 'own\0x', 'link'), '!invalid');
  assert.equal(await guest.path('read', 'x'.repeat(300)), '!name-too-long');
  assert.equal(await guest.path('read', `${'x/'.repeat(3000)}y`), '!name-too-long');
  assert.equal(await guest.path('mkdir', '...'), '');
  assert.equal(await guest.path('mkdir', '..\\secret'), '');
  assert.equal(await guest.path('rmdir', '.'), '!invalid');
  assert.equal(await guest.path('rename', '.', 'x'), '!invalid');
  assert.equal(await guest.path('unlink', 'dir/..'), '!invalid');
});

test('a very deep path costs no descriptors of the broker', async (t) => {
  const { guest, granted } = await scene(t);
  mkdirSync(join(granted, ...Array.from({ length: 200 }, () => 'd')), { recursive: true });
  assert.equal(await guest.path('stat', 'd/'.repeat(200)), '!name-too-long');
  assert.equal(await guest.path('stat', 'd/../'.repeat(400)), '!name-too-long');
});

test('a directory too large to check in one go is not moved nearer to the border', async (t) => {
  const { guest, granted } = await scene(t);
  mkdirSync(join(granted, 'dir', 'big'));
  for (let i = 0; i < 1100; i++) writeFileSync(join(granted, 'dir', 'big', `${i}`), '');
  assert.equal(await guest.path('rename', 'dir/big', 'big'), '!not-permitted');
  assert.equal(await guest.path('rename', 'dir/big', 'dir/other'), '');
});

test('whether a denied path exists is not told', async (t) => {
  const root = temporaryDirectory(t);
  mkdirSync(join(root, 'private', 'inner'), { recursive: true });
  writeFileSync(join(root, 'private', 'file'), '');
  symlinkSync('private', join(root, 'alias'));
  const host = hostWith(
    t,
    `{storage: {allow: [{uri: "fs://${root}/**", access: [read, write]}], deny: [{uri: "fs://${root}/private/**", access: [read, write]}]}}`,
  );
  const guest = await netGuest(host);
  for (const base of ['private', 'alias']) {
    for (const path of ['file', 'missing', 'inner', 'inner/missing', 'missing/x', 'file/x']) {
      for (const operation of ['read', 'stat', 'hash', 'readlink', 'unlink', 'mkdir', 'list']) {
        assert.equal(
          await guest.path(operation, `${base}/${path}`),
          '!access',
          `${operation} ${base}/${path}`,
        );
      }
    }
  }
});

test('devices, pipes and sockets are never opened', { skip: process.platform !== 'linux' }, async (t) => {
  const { guest, granted } = await scene(t);
  execFileSync('sh', ['-c', 'mkfifo "$0"', join(granted, 'pipe')]);
  for (const operation of ['read', 'write', 'truncate', 'truncate-write']) {
    assert.equal(await guest.path(operation, 'pipe', 'x'), '!not-permitted', operation);
  }
  const host = hostWith(t, '{storage: {allow: [{uri: "fs:///dev/**", access: [read, write]}]}}');
  const other = await netGuest(host);
  for (const device of ['zero', 'null', 'tty', 'stdin', 'fd/0']) {
    assert.match(await other.path('read', device), /^!(not-permitted|no-entry|access)$/, device);
  }
});

test('a directory swapped for a link during use leads nowhere', { timeout: 30_000 }, async (t) => {
  const { granted, outside, host } = await scene(t);
  const dir = await firstDirectory(host);
  const [inner] = (await host.ask('fs.open-at', dir, [], 'dir', ['directory'], ['read'])) as [number];
  writeFileSync(join(granted, 'dir', 'secret'), 'inner');
  renameSync(join(granted, 'dir'), join(granted, 'old'));
  symlinkSync(outside, join(granted, 'dir'));
  // The descriptor still is the directory it was opened as; the name now is a link out.
  assert.ok(Array.isArray(await host.ask('fs.open-at', inner, [], 'secret', [], ['read'])));
  assert.equal(
    await host.ask('fs.open-at', dir, ['symlink-follow'], 'dir/secret', [], ['read']),
    '!not-permitted',
  );
});

test('racing swaps of a directory and a link out never show the secret', { timeout: 30_000 }, async (t) => {
  const { granted, outside, guest } = await scene(t);
  writeFileSync(join(granted, 'dir', 'secret'), 'inner');
  const swapper = `
    const { renameSync, symlinkSync, unlinkSync } = require('node:fs');
    const dir = process.argv[1] + '/dir', held = process.argv[1] + '/held';
    const end = Date.now() + 1500;
    process.stdout.write('go');
    while (Date.now() < end) {
      renameSync(dir, held); symlinkSync(process.argv[2], dir);
      unlinkSync(dir); renameSync(held, dir);
    }`;
  const child = spawn(process.execPath, ['-e', swapper, granted, outside], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise((resolve) => child.on('exit', resolve));
  await new Promise((resolve) => child.stdout.once('data', resolve));
  const seen = new Map<string, number>();
  while (child.exitCode === null) {
    for (const operation of ['read', 'read-below']) {
      const answer = await guest.path(operation, operation === 'read' ? 'dir/secret' : 'dir', 'secret');
      seen.set(answer, (seen.get(answer) ?? 0) + 1);
    }
    await new Promise(setImmediate);
  }
  await ended;
  assert.ok(!seen.has('SECRET'), `saw ${JSON.stringify([...seen])}`);
  assert.ok((seen.get('inner') ?? 0) > 0, 'the race never let the guest in at all');
});

test('a granted directory that is replaced by a link stays the directory it was', async (t) => {
  const { granted, outside, guest } = await scene(t);
  assert.equal(await guest.path('read', 'own'), 'own');
  renameSync(granted, `${granted}-moved`);
  symlinkSync(outside, granted);
  assert.match(await guest.path('read', 'secret'), /^!/);
  rmSync(granted);
});

test('a file that was hard-linked in by its owner is a file of the directory, its neighbours are not', async (t) => {
  const { granted, outside, guest } = await scene(t);
  linkSync(join(outside, 'secret'), join(granted, 'shared'));
  assert.equal(await guest.path('read', 'shared'), 'SECRET');
  assert.equal(await guest.path('read', 'shared/../../secret'), '!not-directory');
});

test('without a grant there is no directory at all', async (t) => {
  const host = hostWith(t, '{}');
  const guest = await netGuest(host);
  assert.equal(await guest.path('read', 'x'), '!no-entry');
  for (const id of [0, 1, 2, 3, 5, 1e9]) {
    assert.equal(await host.ask('fs.open-at', id, [], 'etc', [], ['read']), '!bad-descriptor');
  }
});
