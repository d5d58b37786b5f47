// Our client against servers that nobody here wrote: the official server-everything on stdio, Streamable HTTP and
// HTTP+SSE. Fetched into .cache when asked for: `npm run judge:servers`. Needs the network the first time.

import assert from 'node:assert/strict';
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { addressTarget, type Connection, connect, type Handlers, type Target } from '../src/client/client.ts';

const PACKAGE = '@modelcontextprotocol/server-everything';
const VERSION = '2026.8.31';
const folder = resolve(import.meta.dirname, '../.cache/servers');
const program = join(folder, 'node_modules', PACKAGE, 'dist/index.js');

const handlers: Handlers = {
  elicit: () => ({ action: 'decline' }),
  sample: () => ({ model: 'none', role: 'assistant', content: { type: 'text', text: 'Sampled here' } }),
  roots: () => [{ uri: 'file:///work', name: 'work' }],
};

if (!existsSync(program)) {
  console.log(`Fetching ${PACKAGE} ${VERSION} into .cache`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"private":true}\n');
  const install = ['install', '--no-audit', '--no-fund', '--ignore-scripts', `${PACKAGE}@${VERSION}`];
  await promisify(execFile)('npm', install, { cwd: folder });
}

await judge('stdio', { transport: 'stdio', command: process.execPath, args: [program, 'stdio'] });
for (const [mode, path] of [
  ['streamableHttp', '/mcp'],
  ['sse', '/sse'],
] as const) {
  const { child, origin } = await start(mode);
  try {
    await judge(mode, addressTarget(`${origin}${path}`)!);
  } finally {
    child.kill();
  }
}

async function judge(name: string, target: Target): Promise<void> {
  const connection = await connect(target, { handlers });
  try {
    await useEverything(connection);
    const { info } = connection.server;
    console.log(`ok ${name}: ${info?.name} ${info?.version} at ${connection.revision}`);
  } finally {
    await connection.close();
  }
}

async function useEverything(server: Connection): Promise<void> {
  await server.ping();
  const tools = (await server.tools()).map(({ name }) => name);
  assert.ok(tools.includes('echo'), tools.join(', '));
  assert.match(JSON.stringify(await server.callTool('echo', { message: 'hello' })), /hello/);
  const progress: number[] = [];
  const long = tools.find((name) => /long/i.test(name))!;
  const onProgress = (one: { progress: number }) => progress.push(one.progress);
  await server.callTool(long, { duration: 1, steps: 4 }, { onProgress });
  assert.deepEqual(progress, [1, 2, 3, 4]);
  const sampling = tools.find((name) => /sampling/i.test(name) && !/async|multi/i.test(name));
  if (sampling) {
    const sampled = await server.callTool(sampling, { prompt: 'Say something', maxTokens: 10 });
    assert.match(JSON.stringify(sampled), /Sampled here/);
  }
  const [resource] = await server.resources();
  assert.equal((await server.readResource(resource!.uri)).contents.length, 1);
  const [prompt] = await server.prompts();
  assert.ok((await server.getPrompt(prompt!.name)).messages.length > 0);
  const stop = new AbortController();
  const cancelled = server.callTool(long, { duration: 30, steps: 3 }, { signal: stop.signal });
  setTimeout(() => stop.abort(), 100);
  await assert.rejects(cancelled, { code: 'call-cancelled' });
  await server.ping();
}

async function start(mode: string): Promise<{ child: ChildProcess; origin: string }> {
  const port = await freePort();
  const child = spawn(process.execPath, [program, mode], {
    env: { ...process.env, PORT: String(port) },
    stdio: 'ignore',
  });
  const origin = `http://127.0.0.1:${port}`;
  for (let tries = 0; tries < 100; tries++) {
    const answered = await fetch(origin).then(
      () => true,
      () => false,
    );
    if (answered) return { child, origin };
    await sleep(100);
  }
  child.kill();
  throw new Error(`${PACKAGE} ${mode} does not listen`);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  return port;
}
