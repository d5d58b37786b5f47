// stdio as hosts and shells use it: a real process, its pipes and its end.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text as readAll } from 'node:stream/consumers';
import { test } from 'node:test';

const start = (env: Record<string, string> = {}) =>
  spawn(process.execPath, [join(import.meta.dirname, 'fixture/serve.ts'), '--stdio'], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  });

const call = (id: number, a: number) =>
  `${JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'add', arguments: { a, b: 3 } } })}\n`;

test('a bare client writes tools/call lines without a handshake and reads a line for each', async () => {
  const child = start();
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  for (const a of [5, 6]) {
    // Such clients often use one id for everything.
    child.stdin.write(call(1, a));
    const { value } = await lines.next();
    assert.deepEqual(JSON.parse(value as string).result.content, [{ type: 'text', text: `${a + 3}` }]);
  }
  child.stdin.end();
  const [code] = (await once(child, 'exit')) as [number];
  assert.equal(code, 0);
});

test('a shell pipe gets all its answers before the process ends', async () => {
  const child = start();
  child.stdin.end(Array.from({ length: 500 }, (_, id) => call(id, id)).join(''));
  const answers = (await readAll(child.stdout)).trimEnd().split('\n');
  assert.equal(new Set(answers.map((line) => (JSON.parse(line) as { id: number }).id)).size, 500);
});

test('logs go to stderr, stdout has messages only', async () => {
  const child = start({ WITBOX_LOG: 'trace' });
  const errors = readAll(child.stderr);
  child.stdin.end(
    `{"jsonrpc":"2.0","id":1,"method":"initialize"}\n${call(2, 1)}{"jsonrpc":"2.0","method":"x"}\n`,
  );
  const lines = (await readAll(child.stdout)).trimEnd().split('\n');
  assert.equal(lines.length, 2);
  for (const line of lines) assert.equal((JSON.parse(line) as { jsonrpc: string }).jsonrpc, '2.0');
  assert.match(await errors, /"event":"session started"/);
});

test('a line of 11 MB is refused and the next is answered', async () => {
  const child = start();
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  child.stdin.write(`${'x'.repeat(11 << 20)}\n${call(7, 1)}`);
  const codes = [];
  for (let round = 0; round < 2; round += 1) codes.push(JSON.parse((await lines.next()).value as string));
  assert.equal(codes[0].error.code, -32600);
  assert.equal(codes[1].id, 7);
  child.stdin.end();
  await once(child, 'exit');
});

test('a client that closes its reading end ends the process', async () => {
  const child = start();
  child.stdout.destroy();
  child.stdin.write(call(1, 1).repeat(1_000));
  child.stdin.on('error', () => {});
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
  assert.deepEqual([code, signal], [0, null]);
});
