// The commands on the audit log, run as the program that people run, on a log that the sink wrote.

import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, readdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type TestContext, test } from 'node:test';
import { createSampleAudit, temporaryFolder, writeSampleLog } from '../../../test/crash/sample-log.ts';

const PROGRAM = resolve(import.meta.dirname, '../../../bin/witbox.cjs');

interface Desk {
  readonly data: string;
  readonly log: string;
  run(...args: string[]): Promise<Answer>;
  runAny(...args: (string | Readonly<Record<string, string>>)[]): Promise<Answer>;
  start(...args: string[]): ChildProcess;
}

interface Answer {
  readonly out: string;
  readonly err: string;
  readonly status: number | null;
}

/** (module (func (export "add") (param i32 i32) (result i32) local.get 0 local.get 1 i32.add)) */
const ADD = Buffer.from(
  '0061736d0100000001070160027f7f017f030201000707010361646400000a09010700200020016a0b',
  'hex',
);

async function createDesk(t: TestContext): Promise<Desk> {
  const data = await temporaryFolder(t);
  const startAny = (args: readonly string[], env: Readonly<Record<string, string>> = {}): ChildProcess =>
    spawn(process.execPath, [PROGRAM, ...args], {
      env: { WITBOX_DATA_DIR: data, HOME: data, NODE_COMPILE_CACHE: join(data, 'cache'), ...env },
    });
  const answer = async (child: ChildProcess): Promise<Answer> => {
    let [out, err] = ['', ''];
    child.stdout!.on('data', (chunk) => (out += chunk));
    child.stderr!.on('data', (chunk) => (err += chunk));
    const [status] = await once(child, 'close');
    return { out, err, status };
  };
  return {
    data,
    log: join(data, 'audit'),
    start: (...args) => startAny(['audit', ...args]),
    run: (...args) => answer(startAny(['audit', ...args])),
    runAny: (...args) =>
      answer(
        startAny(
          args.filter((one) => typeof one === 'string'),
          args.find((one) => typeof one === 'object'),
        ),
      ),
  };
}

test('verify says that nothing is wrong, or where it is', async (t) => {
  const { log, data, run } = await createDesk(t);
  const none = await run('verify');
  assert.deepEqual([none.status, /No audit log is in/.test(none.err)], [1, true]);
  await writeSampleLog(log, [{}, {}, {}]);
  const good = await run('verify');
  assert.match(good.out, /^No fault in 4 lines of 1 file: 1 to 4\nHash of the last line: [0-9a-f]{64}\n$/);
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
  const all = ['audit.begun', 'read', 'delete_all', '\u001b[2Jboo'];
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
    Array.from({ length: 25 }, (_, i) => i + 7),
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
    Array.from({ length: 21 }, (_, i) => i + 31),
  );
});

test('commands that change something leave a line in a log that is there, also while a server holds it', async (t) => {
  const { data, log, runAny } = await createDesk(t);
  const module = join(data, 'add.wasm');
  await writeFile(module, ADD);
  assert.equal((await runAny('component', 'load', module)).status, 0);
  await assert.rejects(access(log), 'no log is begun by a command');

  const server = createSampleAudit(log);
  await server.begin();
  assert.equal(
    (await runAny('permission', 'grant', 'add', 'storage', '/srv', '--access', 'write')).status,
    0,
  );
  assert.equal((await runAny('permission', 'grant', 'nobody', 'network', 'example.com')).status, 1);
  assert.equal((await runAny('component', 'list')).status, 0);
  assert.equal((await runAny('component', 'unload', 'add')).status, 0);
  await server.close();

  const { out } = await runAny('audit', 'query', '--json');
  const lines = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.deepEqual(
    lines.map(({ action, component, target }) => [action, component, target]),
    [
      ['audit.begun', undefined, undefined],
      ['audit.opened', undefined, undefined],
      ['permission.granted', 'add', 'storage /srv --access=write'],
      ['component.unloaded', 'add', null],
      ['audit.closed', undefined, undefined],
    ],
  );
  assert.equal((await runAny('audit', 'verify')).status, 0);

  const configured = join(data, 'witbox.yaml');
  await writeFile(configured, 'audit: { directory: /dev/null/nowhere }\n');
  const unrecorded = await runAny('component', 'load', module, { WITBOX_CONFIG: configured });
  assert.match(unrecorded.err, /The change was made, but the audit log could not be written/);
  assert.equal(unrecorded.status, 1);
});
