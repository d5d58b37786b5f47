// docs/operate.md, done as it says: its files are written and its commands run in order in one shell, against the server
// that it starts; what it shows must come out. On loopback and on a free port, whatever the page says. In a folder inside
// the repository, where the page has it too: elsewhere npx would ask the registry for a package of that name.

import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { configProblems } from '../src/config/load.ts';

const ROOT = resolve(import.meta.dirname, '..');
const NPX = `#!/bin/sh
shift
exec "${process.execPath}" "${ROOT}/bin/witbox.cjs" "$@"
`;

interface Block {
  readonly info: readonly string[];
  readonly text: string;
}

let folder: string;
let blocks: readonly Block[];
const started: ChildProcess[] = [];

before(async () => {
  await mkdir(join(ROOT, '.cache'), { recursive: true });
  folder = await mkdtemp(join(ROOT, '.cache/operate-'));
  await mkdir(join(folder, 'bin'));
  await writeFile(join(folder, 'bin/npx'), NPX, { mode: 0o755 });
  const port = await freePort();
  const document = (await readFile(join(ROOT, 'docs/operate.md'), 'utf8'))
    .replaceAll('8443', String(port))
    .replaceAll('0.0.0.0', '127.0.0.1');
  blocks = [...document.matchAll(/^```([^\n]+)\n([\s\S]*?)^```$/gm)].map(([, info, text]) => ({
    info: info!.split(' '),
    text: text!,
  }));
});
after(async () => {
  for (const child of started) {
    const ended = once(child, 'exit');
    child.kill();
    await ended;
  }
  await rm(folder, { recursive: true, force: true });
});

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((listening) => {
    probe.listen(0, '127.0.0.1', listening);
  });
  const { port } = probe.address() as AddressInfo;
  await new Promise((closed) => probe.close(closed));
  return port;
}

/** One shell for the whole page, since it sets variables on the way. */
function openShell(env: Record<string, string>) {
  const shell = spawn('bash', [], { cwd: folder, env, stdio: ['pipe', 'pipe', 'pipe'] });
  started.push(shell);
  let out = '';
  let errors = '';
  const changed: (() => void)[] = [];
  shell.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
    for (const wake of changed.splice(0)) wake();
  });
  shell.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  return {
    async run(command: string): Promise<{ status: number; text: string }> {
      out = '';
      shell.stdin.write(`${command}\necho "[status $?]"\n`);
      for (;;) {
        const found = /\[status (\d+)\]\n$/.exec(out);
        if (found) return { status: Number(found[1]), text: out.slice(0, found.index).trimEnd() };
        await new Promise<void>((wake) => changed.push(wake));
      }
    },
    errors: () => errors,
  };
}

async function startServer(command: string, env: Record<string, string>): Promise<void> {
  const child = spawn('bash', ['-c', `exec ${command}`], {
    cwd: folder,
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  started.push(child);
  let log = '';
  await new Promise<void>((resolve, reject) => {
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      log += text;
      if (/SHA-256 \S+\n/.test(log)) resolve();
    });
    child.once('exit', () => reject(new Error(log)));
  });
  assert.match(log, /Witbox serves \d+ tools/, log);
}

test('every file and command of the page works, in order', { timeout: 240_000 }, async () => {
  const env = {
    PATH: `${join(folder, 'bin')}:${dirname(process.execPath)}:${process.env.PATH ?? ''}`,
    HOME: folder,
  };
  const shell = openShell(env);
  let commands = 0;
  for (const { info, text } of blocks) {
    const name = info.find((word) => word.startsWith('file='))?.slice('file='.length);
    if (name !== undefined) await writeFile(join(folder, name), text);
    if (info[0] !== 'console') continue;
    for (const part of text.split(/^\$ /m).slice(1)) {
      const [command = '', ...shown] = part.trimEnd().split('\n');
      commands++;
      if (info[1] === 'server') {
        const { text: variables } = await shell.run('echo "$WITBOX_DATA_DIR $WITBOX_CONFIG"');
        const [dataDir = '', config = ''] = variables.split(' ');
        await startServer(command, { ...env, WITBOX_DATA_DIR: dataDir, WITBOX_CONFIG: config });
        continue;
      }
      const answer = await shell.run(command);
      assert.equal(answer.status, 0, `${command}\n${answer.text}\n${shell.errors()}`);
      if (shown.length > 0) assert.equal(answer.text, shown.join('\n'), command);
    }
  }
  assert.ok(commands >= 25, String(commands));
});

test('npx takes Witbox from the repository in the folder that the page makes', async () => {
  const [page] = /mkdir -p (\S+) && cd \1/.exec(await readFile(join(ROOT, 'docs/operate.md'), 'utf8')) ?? [];
  assert.equal(page, 'mkdir -p .cache/team && cd .cache/team');
  // What npx looks in first; to run it would build the repository once more.
  const child = spawn('npm', ['prefix'], { cwd: folder, stdio: ['ignore', 'pipe', 'ignore'] });
  assert.equal((await child.stdout.setEncoding('utf8').toArray()).join('').trim(), ROOT);
});

test('every configuration on the page is one', () => {
  const documents = blocks.filter(({ info }) => info[0] === 'yaml');
  assert.ok(documents.length >= 7);
  for (const { text } of documents) assert.deepEqual(configProblems(text, 'witbox.yaml'), [], text);
});
