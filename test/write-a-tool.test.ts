// docs/write-a-tool.md, done as it says: its files are written, its commands are run in order, what it shows must come
// out, and the configuration it gives must start a server that has the tool. `npx` and `npm run` are short ways to the
// same programs, since the real ones look around in the folder and on the network first.

import assert from 'node:assert/strict';
import { execFile, execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';

const ROOT = resolve(import.meta.dirname, '..');
const JCO = join(ROOT, '.cache/tools/node_modules/@bytecodealliance/jco');
const NPX = `#!/bin/sh
program="$1"; shift
case "$program" in
  witbox) exec "${process.execPath}" "${ROOT}/bin/witbox.cjs" "$@" ;;
  *) exec "${ROOT}/node_modules/.bin/$program" "$@" ;;
esac
`;

const NPM = `#!/bin/sh
script="$2"; shift 3
exec "${process.execPath}" "${ROOT}/scripts/$script.ts" "$@"
`;

interface Block {
  readonly info: readonly string[];
  readonly text: string;
}

let folder: string;
let blocks: readonly Block[];
let env: Record<string, string>;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'witbox-write-'));
  const document = await readFile(join(ROOT, 'docs/write-a-tool.md'), 'utf8');
  blocks = [...document.matchAll(/^```([^\n]+)\n([\s\S]*?)^```$/gm)].map(([, info, text]) => ({
    info: info!.split(' '),
    text: text!,
  }));
  for (const { info, text } of blocks) {
    const name = info.find((word) => word.startsWith('file='))?.slice('file='.length);
    if (name === undefined) continue;
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  await mkdir(join(folder, 'bin'));
  for (const [name, text] of Object.entries({ npx: NPX, npm: NPM })) {
    await writeFile(join(folder, 'bin', name), text, { mode: 0o755 });
  }
  const node = dirname(process.execPath);
  env = {
    PATH: `${join(folder, 'bin')}:${node}:${process.env.PATH ?? ''}`,
    HOME: folder,
    WITBOX_DATA_DIR: join(folder, 'data'),
  };
});
after(() => rm(folder, { recursive: true }));

/** Runs every command of a block; lines without a prompt are what the command before must print. */
async function runAll({ text }: Block): Promise<void> {
  for (const part of text.split(/^\$ /m).slice(1)) {
    const [command = '', ...shown] = part.trimEnd().split('\n');
    const { stdout } = await promisify(execFile)('sh', ['-c', command], { cwd: folder, env });
    if (shown.length > 0) assert.equal(stdout.trimEnd(), shown.join('\n'), command);
  }
}

test('every command for TypeScript works, in order', async () => {
  const commands = blocks.filter(({ info }) => info[0] === 'console' && info[1] === undefined);
  assert.ok(commands.length >= 4);
  for (const block of commands) await runAll(block);
});

test('the configuration for Claude Desktop offers the tool', async () => {
  const { text } = blocks.find(({ info }) => info[1] === 'config')!;
  const { mcpServers } = JSON.parse(text.replaceAll('/path/to/witbox', ROOT)) as {
    mcpServers: { witbox: { command: string; args: string[] } };
  };
  const { command, args } = mcpServers.witbox;
  const child = spawn(command, args, { env, stdio: ['pipe', 'pipe', 'ignore'] });
  const params = { name: 'count-words', arguments: { text: 'one two three' } };
  for (const message of [
    { id: 1, method: 'tools/list' },
    { id: 2, method: 'tools/call', params },
  ]) {
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }
  child.stdin.end();
  const lines: string[] = (await child.stdout.setEncoding('utf8').toArray()).join('').trim().split('\n');
  const answers = new Map(lines.map((line) => JSON.parse(line)).map((one) => [one.id, one.result]));
  const tool = answers.get(1).tools.find(({ name }: { name: string }) => name === 'count-words');
  assert.equal(tool.description, 'Counts the words of a text');
  assert.equal(answers.get(2).content[0].text, '3');
});

function missing(): string | false {
  if (!existsSync(JCO)) return 'jco is not fetched, run "npm run fixtures"';
  try {
    execFileSync('sh', ['-c', 'command -v clang wasm-ld'], { stdio: 'ignore' });
    return false;
  } catch {
    return 'clang or wasm-ld is not installed';
  }
}

test('every command for C works, in order', { skip: missing() }, async () => {
  for (const block of blocks.filter(({ info }) => info[1] === 'c')) await runAll(block);
});
