// The script against the real server, on every transport the official client has, with both ways to open; and against a
// server that is none.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { buildExample } from '../build.ts';
import { exampleNamed } from '../list.ts';
import { type Served, serve } from '../serve.ts';

const SCRIPT = join(import.meta.dirname, 'client.ts');
const WITBOX = resolve(import.meta.dirname, '../../bin/witbox.cjs');
const WISHES = [
  '--call',
  'test_tool_with_progress',
  '--long',
  'slow_compute',
  '--long-args',
  '{"seconds":20}',
];

let served: Served;
before(async () => {
  const file = await buildExample(exampleNamed('conformance'));
  served = await serve({ components: [{ file, policy: 'requested' }] });
});
after(() => served.close());

const run = async (args: readonly string[]): Promise<string> =>
  (await promisify(execFile)(process.execPath, [SCRIPT, ...WISHES, ...args])).stdout;

const targets: Readonly<Record<string, () => readonly string[]>> = {
  'Streamable HTTP': () => ['--http', `${served.origin}/mcp`],
  'HTTP+SSE': () => ['--sse', `${served.origin}/sse`],
  stdio: () => ['--', process.execPath, WITBOX, 'serve', '--stdio', '--data-dir', served.dataDir],
};

for (const [transport, target] of Object.entries(targets)) {
  for (const opening of ['--legacy', null]) {
    test(`lives through ${transport}${opening ? ' the old way' : ''}`, async () => {
      const told = await run([...(opening ? [opening] : []), ...target()]);
      const lines = told.trim().split('\n');
      assert.deepEqual(
        lines.filter((line) => line.startsWith('failed')),
        [],
        told,
      );
      assert.match(told, opening ? /speaks 2025-11-25/ : /speaks 20\d\d/);
      // The client drops progress that arrives in one piece with the result, which all but the first may.
      assert.match(told, /done +call with progress +a result, progress 0/);
      assert.match(told, /done +cancel +cancelled, and the connection lives on/);
      assert.match(told, /done +unique ids/);
      assert.match(lines.at(-1)!, /^done +close/);
      assert.equal(/done +ping/.test(told), !told.includes('speaks 2026-07-28'));
    });
  }
}

test('a server that is none fails at the first step', async () => {
  const failure = await run(['--http', `${served.origin}/nowhere`]).catch((error: unknown) => error);
  const { code, stdout } = failure as { code: number; stdout: string };
  assert.equal(code, 1);
  assert.match(stdout, /^failed +open/);
});
