// Lets the official Inspector's command line judge the server on stdio, Streamable HTTP and HTTP+SSE. It is large and
// needed only here, so it is fetched into .cache when asked for: `npm run judge:inspector`.

import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

const VERSION = '2.12.0';
const root = resolve(import.meta.dirname, '..');
const folder = join(root, '.cache/inspector');
const inspector = join(
  folder,
  'node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js',
);
const program = join(root, 'test/mcp/fixture/serve.ts');
const run = promisify(execFile);

if (!existsSync(inspector)) {
  console.log(`Fetching the Inspector ${VERSION} into .cache (about 110 MB)`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"private":true}\n');
  await run('npm', ['install', '--no-audit', '--no-fund', `@modelcontextprotocol/inspector@${VERSION}`], {
    cwd: folder,
  });
}

const server = spawn(process.execPath, [program], { stdio: ['ignore', 'pipe', 'inherit'] });
const [port] = (await once(createInterface(server.stdout), 'line')) as [string];
const targets = {
  stdio: { flags: [], command: ['--', process.execPath, program, '--stdio'] },
  http: { flags: [`http://127.0.0.1:${port}/mcp`, '--transport', 'http'], command: [] },
  sse: { flags: [`http://127.0.0.1:${port}/sse`, '--transport', 'sse'], command: [] },
};
for (const [name, { flags, command }] of Object.entries(targets)) {
  const ask = async (...args: string[]) => {
    const { stdout } = await run(process.execPath, [inspector, '--cli', ...flags, ...args, ...command]);
    return JSON.parse(stdout) as { tools?: unknown[]; content?: { text: string }[] };
  };
  const { tools } = await ask('--method', 'tools/list');
  const { content } = await ask(
    '--method',
    'tools/call',
    '--tool-name',
    'add',
    '--tool-arg',
    'a=5',
    '--tool-arg',
    'b=3',
  );
  const good = (tools?.length ?? 0) > 20 && content?.[0]?.text === '8';
  console.log(
    `${good ? 'ok    ' : 'FAILED'} ${name}: ${tools?.length} tools, 5 + 3 is ${content?.[0]?.text}`,
  );
  if (!good) process.exitCode = 1;
}
server.kill();
