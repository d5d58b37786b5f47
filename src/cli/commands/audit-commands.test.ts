// The commands on the audit log, run as the program that people run, on a log that the sink wrote.

import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type TestContext, test } from 'node:test';
import { temporaryFolder, writeSampleLog } from '../../../test/crash/sample-log.ts';

const PROGRAM = resolve(import.meta.dirname, '../../../bin/witbox.cjs');

interface Desk {
  readonly data: string;
  readonly log: string;
  run(...args: string[]): Promise<{ out: string; err: string; status: number | null }>;
  start(...args: string[]): ChildProcess;
}

async function createDesk(t: TestContext): Promise<Desk> {
  const data = await temporaryFolder(t);
  const start = (...args: string[]): ChildProcess =>
    spawn(process.execPath, [PROGRAM, 'audit', ...args], {
      env: { WITBOX_DATA_DIR: data, HOME: data, NODE_COMPILE_CACHE: join(data, 'cache') },
    });
  return {
    data,
    log: join(data, 'audit'),
    start,
    async run(...args) {
      const child = start(...args);
      let [out, err] = ['', ''];
      child.stdout!.on('data', (chunk) => (out += chunk));
      child.stderr!.on('data', (chunk) => (err += chunk));
      const [status] = await once(child, 'close');
      return { out, err, status };
    },
  };
}

test('verify says that nothing is wrong, or where it is', async (t) => {
  const { log, data, run } = await createDesk(t);
  const none = await run('verify');
  assert.deepEqual([none.status, /No audit log is in/.test(none.err)], [1, true]);
  await writeSampleLog(log, [{}, {}, {}]);
  const good = await run('verify');
  assert.match(good.out, /^No fault in 5 lines of 1 file: 1 to 5\nHash of the last line: [0-9a-f]{64}\n$/);
  assert.equal(good.status, 0);
  const hash = good.out.trim().slice(-64);
  assert.equal((await run('verify', '--directory', log, '--expect', hash)).status, 0);
  assert.match((await run('verify', '--expect', 'zz')).err, /64 hex digits/);

  const [name] = (await readdir(log)).filter((one) => one.endsWith('.jsonl'));
  const text = await readFile(join(log, name!), 'utf8');
  await writeFile(join(log, name!), text.replace('"key:ci"', '"key:xx"'));
  const bad = await run('verify', '--data-dir', data);
  assert.equal(bad.out, `${name}:3: line 2 was changed: line 3 knows it by another hash\n`);
  assert.equal(bad.status, 1);
  const told = JSON.parse((await run('verify', '--json')).out);
  assert.deepEqual([told.ok, told.faults[0].line], [false, 3]);
  assert.equal((await run('verify', '--expect', '0'.repeat(64))).status, 1);
});

test('query finds lines by who, what, how and when, and escapes what would steer a terminal', async (t) => {
  const { log, run } = await createDesk(t);
  await writeSampleLog(log, [
    { caller: 'key:ci-1', target: 'read' },
    { caller: 'key:ci-2', target: 'delete_all', outcome: 'denied', denied: ['network:example.com'] },
    { caller: 'subject:eve', target: '\u001b[2Jboo', component: 'other' },
  ]);
  const targets = async (...args: string[]): Promise<string[]> => {
    const { out, err, status } = await run('query', '--json', ...args);
    assert.equal(status, 0, err);
    return out
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line).target ?? JSON.parse(line).action);
  };
  const all = ['audit.begun', 'read', 'delete_all', '\u001b[2Jboo', 'audit.closed'];
  for (const [args, expected] of [
    [[], all],
    [['--since', '1h'], all],
    [['--until', '1h'], []],
    [['--since', '2020-01-01T00:00:00Z', '--limit', '2'], all.slice(0, 2)],
    [
      ['--caller', 'key:ci-*'],
      ['read', 'delete_all'],
    ],
    [['--tool', 'delete_*', '--outcome', 'denied'], ['delete_all']],
    [['--component', 'weather', '--outcome', 'ok'], ['read']],
  ] as const)
    assert.deepEqual(await targets(...args), expected, args.join(' '));
  const { out } = await run('query', '--caller', '*:*');
  assert.ok(!out.includes('\u001b'));
  assert.match(
    out,
    /key:ci-2 {2}tools\/call {2}delete_all {2}denied {2}1\.5 ms .* denied network:example\.com\n/,
  );
  for (const args of [
    ['--since', 'yesterday'],
    ['--limit', 'x'],
    ['--caller', 'x'.repeat(2_000)],
  ])
    assert.equal((await run('query', ...args)).status, 2, args.join(' '));
});

test('tail shows the last lines over the border of files, and follows what is written', async (t) => {
  const { log, run, start } = await createDesk(t);
  const some = (from: number, count: number) =>
    Array.from({ length: count }, (_, i) => ({ target: `tool-${from + i}` }));
  await writeSampleLog(log, some(0, 30), { rotateBytes: 4_800 });
  const { out } = await run('tail', '-n', '25', '--json');
  const sequences = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).sequence);
  assert.deepEqual(
    sequences,
    Array.from({ length: 25 }, (_, i) => i + 8),
  );
  assert.equal((await run('tail', '-n', '-1')).status, 2);

  const child = start('tail', '-n', '1', '--follow', '--json');
  let followed = '';
  child.stdout!.on('data', (chunk) => (followed += chunk));
  await once(child.stdout!, 'data');
  await writeSampleLog(log, some(30, 20), { rotateBytes: 4_800 });
  while (!followed.includes('tool-49')) await once(child.stdout!, 'data');
  child.kill('SIGINT');
  const [status] = await once(child, 'close');
  assert.equal(status, 0);
  const seen = followed
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).sequence);
  assert.deepEqual(
    seen.slice(0, 21),
    Array.from({ length: 21 }, (_, i) => i + 32),
  );
});
