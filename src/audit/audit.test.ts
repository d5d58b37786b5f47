// The log as its users see it: real files, real failures of the system, other processes at the same time.

import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { SAMPLE_ENTRY, SAMPLE_OPTIONS } from '../../test/crash/sample-log.ts';
import { createLogger } from '../core/log.ts';
import { createRedactor } from '../core/redact.ts';
import { withLock } from '../store/lock.ts';
import { type Audit, createAudit } from './audit.ts';
import type { AuditOptions } from './options.ts';
import { verify } from './verify.ts';

const OPTIONS = SAMPLE_OPTIONS;
const ENTRY = SAMPLE_ENTRY;

interface Desk {
  readonly directory: string;
  readonly said: string[];
  open(options?: Partial<AuditOptions>): Audit;
  lines(): Promise<Record<string, unknown>[]>;
}

async function createDesk(t: TestContext): Promise<Desk> {
  const directory = await mkdtemp(join(tmpdir(), 'witbox-audit-'));
  const said: string[] = [];
  const open: Audit[] = [];
  t.after(async () => {
    for (const audit of open) await audit.close();
    await rm(directory, { recursive: true, force: true });
  });
  return {
    directory,
    said,
    open(options = {}) {
      const log = createLogger({ write: (line) => said.push(line) });
      const audit = createAudit(
        { ...OPTIONS, ...options },
        { directory, withLock, redactor: createRedactor(), log },
      );
      open.push(audit);
      return audit;
    },
    async lines() {
      const names = (await readdir(directory)).filter((name) => name.endsWith('.jsonl')).sort();
      const texts = await Promise.all(names.map((name) => readFile(join(directory, name), 'utf8')));
      return texts
        .join('')
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line));
    },
  };
}

const actions = (lines: readonly Record<string, unknown>[]): unknown[] => lines.map(({ action }) => action);

async function until(done: () => boolean): Promise<void> {
  for (let i = 0; i < 200 && !done(); i += 1) await sleep(50);
  assert.ok(done(), 'it takes too long');
}

test('a line says who did what, with digests in place of values, and no session id', async (t) => {
  const { open, lines } = await createDesk(t);
  const audit = open();
  await audit.record({ ...ENTRY, arguments: { city: 'Seattle' }, result: { rain: true } }).durable;
  const line = (await lines()).at(-1)!;
  const { time, previous, session, ...rest } = line;
  assert.match(String(time), /^\d{4}-\d\d-\d\dT/);
  assert.match(String(previous), /^[0-9a-f]{64}$/);
  assert.match(String(session), /^[0-9a-f]{16}$/);
  assert.deepEqual(rest, {
    sequence: 2,
    kind: 'call',
    action: 'tools/call',
    caller: 'key:ci',
    address: '127.0.0.1',
    client: 'tester/1.0',
    revision: '2025-11-25',
    transport: 'http',
    component: 'weather',
    digest: 'sha256:00',
    target: 'get-weather',
    outcome: 'ok',
    milliseconds: 1.5,
    granted: ['network:api.example.com'],
    denied: [],
    arguments: { sha256: '48ca5abd632f92191db1e1a7ffdd3e1fdada50a99f7ea459a86cdb2898012650', bytes: 18 },
    result: { sha256: '0ae2c83e20c5fa47ad34df9ceb7901350359a47f40b7dd843bf3e2d98ad76fa6', bytes: 13 },
  });
});

test('values are shown if the operator wants to read them, without what is secret', async (t) => {
  const { open, lines } = await createDesk(t);
  const audit = open({ values: 'redacted', redact: ['city'] });
  const secret = { city: 'Seattle', days: 2, password: 'hunter2hunter2' };
  await audit.record({ ...ENTRY, arguments: secret, result: 'x'.repeat(100_000) }).durable;
  const line = (await lines()).at(-1) as { arguments: { value: unknown }; result: object };
  assert.deepEqual(line.arguments.value, { city: '[redacted]', days: 2, password: '[redacted]' });
  assert.deepEqual(Object.keys(line.result), ['sha256', 'bytes']);
});

test('what a caller can choose is cut to a bound', async (t) => {
  const { open, lines } = await createDesk(t);
  const long = 'x'.repeat(1 << 20);
  const audit = open();
  await audit.record({ ...ENTRY, target: long, client: long, denied: new Array(500).fill(long) }).durable;
  assert.ok(JSON.stringify((await lines()).at(-1)).length < 100_000);
});

test('lines of one turn are chained in the order in which they were recorded', async (t) => {
  const { open, lines, directory } = await createDesk(t);
  const audit = open();
  await Promise.all(
    Array.from({ length: 500 }, (_, i) => audit.record({ ...ENTRY, target: String(i) }).durable),
  );
  const targets = (await lines()).slice(1).map(({ target }) => Number(target));
  assert.deepEqual(
    targets,
    Array.from({ length: 500 }, (_, i) => i),
  );
  await audit.close();
  const verdict = await verify(directory);
  assert.deepEqual([verdict.ok, verdict.lines, verdict.last], [true, 501, 501]);
});

test('a next process goes on where the last one ended', async (t) => {
  const { open, lines, directory } = await createDesk(t);
  for (let i = 0; i < 3; i += 1) {
    const audit = open();
    await audit.begin();
    await audit.close();
  }
  const all = await lines();
  assert.deepEqual(actions(all), [
    'audit.begun',
    ...new Array(3).fill(['audit.opened', 'audit.closed']).flat(),
  ]);
  assert.deepEqual([(await verify(directory)).ok, all.at(-1)!.sequence], [true, 7]);
});

test('files are begun by size and kept by number, and a line says which were removed', async (t) => {
  const { open, lines, directory } = await createDesk(t);
  const audit = open({ rotateBytes: 10_000, keep: 2 });
  for (let i = 0; i < 200; i += 1) await audit.record(ENTRY).durable;
  await audit.close();
  const files = (await readdir(directory)).filter((name) => name.endsWith('.jsonl'));
  assert.equal(files.length, 3);
  const verdict = await verify(directory);
  assert.deepEqual(verdict.faults, []);
  assert.ok(verdict.removed > 100, `${verdict.removed}`);
  assert.ok(actions(await lines()).includes('audit.removed'));
  const none = open({ rotateBytes: 10_000, keep: 0 });
  for (let i = 0; i < 60; i += 1) await none.record(ENTRY).durable;
  await none.close();
  assert.deepEqual((await verify(directory)).faults, []);
});

test('a half-written line is moved aside at the next start, and the chain goes on', async (t) => {
  const { open, lines, directory, said } = await createDesk(t);
  const first = open();
  await first.begin();
  await first.close();
  const name = (await readdir(directory)).find((one) => one.endsWith('.jsonl'))!;
  await appendFile(join(directory, name), '{"sequence":4,"previous":"12');
  assert.equal((await verify(directory)).unfinished, 28);
  const second = open();
  await second.begin();
  await second.close();
  assert.deepEqual(actions(await lines()).slice(3), ['audit.mended', 'audit.opened', 'audit.closed']);
  const aside = (await readdir(directory)).find((one) => one.endsWith('.part'))!;
  assert.equal(await readFile(join(directory, aside), 'utf8'), '{"sequence":4,"previous":"12');
  assert.ok(said.some((line) => line.includes('audit.mended')));
  assert.deepEqual((await verify(directory)).faults, []);
});

test('zeros that a power failure left are no line, however many', async (t) => {
  const { open, directory } = await createDesk(t);
  const first = open();
  await first.begin();
  await first.close();
  const name = (await readdir(directory)).find((one) => one.endsWith('.jsonl'))!;
  await appendFile(join(directory, name), Buffer.alloc(5 << 20));
  const second = open();
  await second.begin();
  await second.close();
  assert.deepEqual((await verify(directory)).faults, []);
});

test('lines that are gone from the end stay missing after the next start', async (t) => {
  const { open, directory, said } = await createDesk(t);
  const first = open();
  for (let i = 0; i < 5; i += 1) await first.record(ENTRY).durable;
  await first.close();
  const name = (await readdir(directory)).find((one) => one.endsWith('.jsonl'))!;
  const kept = (await readFile(join(directory, name), 'utf8')).split('\n').slice(0, 4).join('\n');
  await writeFile(join(directory, name), `${kept}\n`);
  assert.match((await verify(directory)).faults[0]!.problem, /lines 5 to 6 are missing/);
  const second = open();
  await second.begin();
  await second.close();
  assert.ok(said.some((line) => line.includes('audit.damaged')));
  assert.match((await verify(directory)).faults[0]!.problem, /lines 5 to 6 are missing/);
});

test('two processes that share a folder take turns and never chain to the same line', async (t) => {
  const { open, directory } = await createDesk(t);
  const audit = open();
  const writer = resolve(import.meta.dirname, '../../test/crash/audit-writer.ts');
  const others = [1, 2].map(() =>
    spawn(process.execPath, [writer, directory, '150'], { stdio: ['ignore', 'ignore', 'inherit'] }),
  );
  const ended = others.map((child) => once(child, 'exit'));
  for (let i = 0; i < 150; i += 1) {
    await audit.record(ENTRY).durable;
    await sleep(2);
  }
  for (const [status] of await Promise.all(ended)) assert.equal(status, 0);
  await audit.close();
  const verdict = await verify(directory);
  assert.deepEqual(verdict.faults, []);
  assert.ok(verdict.lines >= 450, `${verdict.lines}`);
});

test('a full disk stops calls, or lets them go on with an alarm; both come back by themselves', async (t) => {
  for (const onFailure of ['stop', 'continue'] as const) {
    const { open, directory, said, lines } = await createDesk(t);
    // A device that is always full in place of the file.
    const file = join(directory, 'audit-0000000000000001.jsonl');
    await symlink('/dev/full', file);
    const audit = open({ onFailure });
    const { durable } = audit.record({ ...ENTRY, target: 'kept' });
    if (onFailure === 'stop') await assert.rejects(durable, { code: 'audit-unwritable', message: /ENOSPC/ });
    else await durable;
    assert.equal(audit.state().ok, false);
    assert.match(audit.state().reason!, /ENOSPC/);
    if (onFailure === 'stop') assert.throws(() => audit.check(), { code: 'audit-unwritable' });
    else audit.check();
    for (let i = 0; i < 50; i += 1) await audit.record(ENTRY).durable.catch(() => {});
    assert.equal(
      said.filter((line) => line.includes('audit.unwritable')).length,
      1,
      'one alarm, not one per line',
    );
    await rm(file);
    await until(() => audit.state().ok);
    audit.check();
    await audit.record(ENTRY).durable;
    await audit.close();
    const all = await lines();
    assert.deepEqual(actions(all).slice(0, 2), ['audit.begun', 'audit.resumed']);
    assert.ok(all.some(({ target }) => target === 'kept'));
    assert.deepEqual([all.length, (await verify(directory)).faults], [54, []]);
  }
});

test('a write that fits only in part is taken back', async (t) => {
  const { directory } = await createDesk(t);
  const writer = resolve(import.meta.dirname, '../../test/crash/audit-writer.ts');
  // The limit of 16 blocks of 1024 bytes is met in the middle of a line; the signal is ignored, so that it is an error.
  const script = `trap '' XFSZ; ulimit -f 16; exec "$0" "$1" "$2" 100 fails`;
  const child = spawn('bash', ['-c', script, process.execPath, writer, directory], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let out = '';
  child.stdout.on('data', (chunk) => (out += chunk));
  await once(child, 'close');
  assert.match(out, /EFBIG/);
  const verdict = await verify(directory);
  assert.deepEqual([verdict.faults, verdict.unfinished], [[], 0]);
  assert.ok(verdict.lines > 10 && verdict.lines < 60, `${verdict.lines}`);
});

test('a real file system without room is survived', async (t) => {
  const disk = await mkdtemp(join(tmpdir(), 'witbox-audit-disk-'));
  const { open } = await createDesk(t);
  t.after(() => rm(disk, { recursive: true, force: true }));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'none', disk], { stdio: 'ignore' });
  } catch {
    return t.skip('needs the right to mount a file system');
  }
  try {
    await fillAndGrow(disk, open({ directory: disk, onFailure: 'stop' }));
  } finally {
    execFileSync('umount', ['-l', disk]);
  }
});

async function fillAndGrow(disk: string, audit: Audit): Promise<void> {
  let written = 0;
  await assert.rejects(
    async () => {
      for (; written < 1_000; written += 1) await audit.record(ENTRY).durable;
    },
    { code: 'audit-unwritable', message: /ENOSPC/ },
  );
  assert.ok(written > 20, `${written}`);
  const before = await verify(disk);
  assert.deepEqual([before.faults, before.unfinished], [[], 0]);
  assert.ok(before.lines >= written);
  execFileSync('mount', ['-o', 'remount,size=1m', disk]);
  await until(() => audit.state().ok);
  await audit.record(ENTRY).durable;
  await audit.close();
  assert.deepEqual((await verify(disk)).faults, []);
}

test('a log file that somebody removes is noticed, and its lines stay missing', async (t) => {
  const { directory, open, said } = await createDesk(t);
  const audit = open({ onFailure: 'continue' });
  await audit.begin();
  const name = (await readdir(directory)).find((one) => one.endsWith('.jsonl'))!;
  await rm(join(directory, name));
  await audit.record(ENTRY).durable;
  await until(() => said.some((line) => line.includes('has been removed')));
  await until(() => audit.state().ok);
  await audit.close();
  assert.match((await verify(directory)).faults[0]!.problem, /missing/);
});

test('options change while lines are written; that recording ends is its last line', async (t) => {
  const { directory, open, lines } = await createDesk(t);
  const audit = open();
  await audit.begin();
  await audit.reconfigure({ ...OPTIONS, values: 'redacted' });
  await audit.record({ ...ENTRY, arguments: { a: 1 } }).durable;
  const elsewhere = join(directory, 'elsewhere');
  await audit.reconfigure({ ...OPTIONS, directory: elsewhere });
  await audit.record(ENTRY).durable;
  await audit.reconfigure({ ...OPTIONS, directory: elsewhere, enabled: false });
  await audit.record(ENTRY).durable;
  audit.check();
  const all = await lines();
  assert.deepEqual(actions(all), ['audit.begun', 'audit.opened', 'tools/call', 'audit.closed']);
  assert.deepEqual((all[2]!.arguments as { value: unknown }).value, { a: 1 });
  for (const [folder, count] of [
    [directory, 4],
    [elsewhere, 4],
  ] as const) {
    const verdict = await verify(folder);
    assert.deepEqual([verdict.faults, verdict.lines], [[], count]);
  }
});
