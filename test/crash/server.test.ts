// The real server and its audit log: no answer leaves before its line, whatever kills the server; and a disk that is full
// stops calls until it is not.

import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { query } from '../../src/audit/query.ts';
import { verify } from '../../src/audit/verify.ts';
import { temporaryFolder } from './sample-log.ts';

const ROOT = resolve(import.meta.dirname, '../..');

interface Server {
  readonly origin: string;
  readonly child: ChildProcess;
}

async function configure(t: TestContext): Promise<{ folder: string; log: string }> {
  const folder = await temporaryFolder(t);
  const component = join(ROOT, 'test/fixtures/wat/adder.wasm');
  await writeFile(
    join(folder, 'witbox.yaml'),
    `data-dir: data\ncomponents: [${JSON.stringify(component)}]\naudit: { values: redacted, rotate: 16Ki }\n`,
  );
  return { folder, log: join(folder, 'data', 'audit') };
}

async function start(t: TestContext, folder: string): Promise<Server> {
  const words = [
    join(ROOT, 'bin/witbox.cjs'),
    'serve',
    '--port',
    '0',
    '--config',
    join(folder, 'witbox.yaml'),
  ];
  const child = spawn(process.execPath, words, {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { PATH: process.env.PATH, HOME: folder },
  });
  t.after(() => child.kill('SIGKILL'));
  let said = '';
  const origin = await new Promise<string>((found, failed) => {
    child.stderr!.on('data', (chunk) => {
      said += chunk;
      const [address] = /http:\/\/127\.0\.0\.1:\d+(?=\/mcp\n)/.exec(said) ?? [];
      if (address !== undefined) found(address);
    });
    child.once('exit', () => failed(new Error(`it did not start: ${said}`)));
  });
  return { origin, child };
}

async function add(origin: string, a: number): Promise<string> {
  const response = await fetch(`${origin}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: a,
      method: 'tools/call',
      params: { name: 'add', arguments: { a, b: 1 } },
    }),
  });
  return response.text();
}

test('every call that was answered before a kill has its line', async (t) => {
  const { folder, log } = await configure(t);
  const answered = new Set<number>();
  let next = 0;
  for (const enough of [40, 150]) {
    const { origin, child } = await start(t, folder);
    const before = answered.size;
    const caller = async (): Promise<void> => {
      for (;;) {
        const a = next++;
        assert.match(await add(origin, a), new RegExp(`"text":"${a + 1}"`));
        answered.add(a);
        if (answered.size - before === enough) child.kill('SIGKILL');
      }
    };
    // Each of them ends with the connection that the kill cuts off.
    const ends = await Promise.allSettled(Array.from({ length: 8 }, caller));
    for (const end of ends)
      assert.ok(end.status === 'rejected' && !(end.reason instanceof assert.AssertionError), `${end.status}`);
  }
  const lines = new Set<unknown>();
  for await (const { fields } of query(log, { outcome: (outcome) => outcome === 'ok' }))
    lines.add((fields as { arguments?: { value?: { a?: number } } }).arguments?.value?.a);
  for (const a of answered) assert.ok(lines.has(a), `the call of ${a} was answered and has no line`);
  const { faults, files } = await verify(log);
  assert.deepEqual(faults, []);
  assert.ok(files > 1, 'a border of files was crossed');
});

test('a full disk stops calls and readiness until there is room again', async (t) => {
  const { folder, log } = await configure(t);
  const { origin, child } = await start(t, folder);
  assert.match(await add(origin, 1), /"text":"2"/);
  // When nothing comes for a while the file is let go of, and the next line finds a device that is always full.
  while ((await readdir(log)).includes('lock')) await sleep(100);
  const [name] = (await readdir(log)).filter((one) => one.endsWith('.jsonl'));
  const [file, aside] = [join(log, name!), join(folder, 'aside')];
  await rename(file, aside);
  await symlink('/dev/full', file);
  for (const a of [2, 3])
    assert.match(await add(origin, a), /the audit log cannot be written, the system says ENOSPC/);
  assert.equal((await fetch(`${origin}/ready`)).status, 503);
  await rm(file);
  await rename(aside, file);
  while ((await fetch(`${origin}/ready`)).status !== 200) await sleep(100);
  assert.match(await add(origin, 4), /"text":"5"/);
  child.kill('SIGTERM');
  await once(child, 'exit');
  const { faults } = await verify(log);
  assert.deepEqual(faults, []);
});
