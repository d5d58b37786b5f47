// `npm start` as somebody sees it who has just cloned: an empty home, and everything that is printed must work.

import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';

const run = promisify(execFile);
let home: string;
let printed = '';
let stop: () => Promise<void>;

before(async () => {
  home = await mkdtemp(join(tmpdir(), 'witbox-home-'));
  const dataDir = await mkdtemp(join(tmpdir(), 'witbox-demo-'));
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, 'start.ts'), '--port', '0', '--data-dir', dataDir],
    { stdio: ['ignore', 'ignore', 'pipe'], env: { PATH: process.env.PATH ?? '', HOME: home } },
  );
  const ended = once(child, 'exit');
  stop = async () => {
    child.kill();
    await ended;
    await Promise.all([home, dataDir].map((folder) => rm(folder, { recursive: true })));
  };
  child.stderr.setEncoding('utf8');
  for await (const text of child.stderr.iterator({ destroyOnReturn: false })) {
    printed += text;
    if (printed.includes('Ctrl-C')) break;
  }
});
after(() => stop());

/** The line under a heading. */
const under = (heading: string): string =>
  printed
    .split('\n')
    .find((_, at, lines) => lines[at - 1]?.startsWith(heading))
    ?.trim() ?? '';

test('npm start prints the addresses of all transports', () => {
  assert.match(printed, /Streamable HTTP\s+http:\/\/127\.0\.0\.1:\d+\/mcp/);
  assert.match(printed, /HTTP\+SSE\s+http:\/\/127\.0\.0\.1:\d+\/sse/);
  assert.match(printed, /WebSocket\s+ws:\/\/127\.0\.0\.1:\d+\/ws/);
});

test('the command to try works', async () => {
  const { stdout } = await run('sh', ['-c', under('Try it:')]);
  assert.match(stdout, /WASM calculation result: 8 \(from test-module::add\)/);
});

test('the configuration for Claude Desktop starts a server over stdio', async () => {
  const { mcpServers } = JSON.parse(under('Claude Desktop')) as {
    mcpServers: { witbox: { command: string; args: string[] } };
  };
  const { command, args } = mcpServers.witbox;
  const child = run(command, args, { env: { HOME: home } });
  child.child.stdin?.end(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })}\n`);
  const { stdout } = await child;
  assert.ok(JSON.parse(stdout).result.tools.some(({ name }: { name: string }) => name === 'add'));
});

test('the configurations for Cursor and VS Code name the address', () => {
  const url = /http:\S+\/mcp/.exec(printed)?.[0];
  assert.deepEqual(JSON.parse(under('Cursor')), { mcpServers: { witbox: { url } } });
  assert.deepEqual(JSON.parse(under('VS Code')), { servers: { witbox: { type: 'http', url } } });
});

test('nothing is left in the home directory', async () => {
  assert.deepEqual(await readdir(home), []);
});
