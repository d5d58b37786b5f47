// docs/audit.md held against the program: its commands run, and its example has the fields that a line has.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { verify } from '../src/audit/verify.ts';
import { temporaryFolder, writeSampleLog } from './crash/sample-log.ts';

const root = resolve(import.meta.dirname, '..');
const run = promisify(execFile);

function blocks(text: string, language: string): string[] {
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(
    ([, code]) => code!,
  );
}

test('the commands of docs/audit.md run, and its line is what a line looks like', async (t) => {
  const text = await readFile(join(root, 'docs/audit.md'), 'utf8');
  const data = await temporaryFolder(t);
  const log = join(data, 'audit');
  await writeSampleLog(log, [{ arguments: { city: 'Seattle' }, result: { rain: true } }]);
  const [name] = (await readdir(log)).filter((one) => one.endsWith('.jsonl'));
  const line = (await readFile(join(log, name!), 'utf8')).trimEnd().split('\n').at(-1)!;
  assert.deepEqual(Object.keys(JSON.parse(blocks(text, 'json')[0]!)), Object.keys(JSON.parse(line)));

  const { hash } = await verify(log);
  const commands = blocks(text, 'sh').join('');
  const count = commands.trim().split('\n').length;
  assert.ok(count >= 8, `${count}`);
  const script = `set -eu\nwitbox() { "${process.execPath}" "${join(root, 'bin/witbox.cjs')}" "$@"; }\n${commands}`;
  const { stdout } = await run('bash', ['-c', script], {
    env: { PATH: process.env.PATH, HOME: data, WITBOX_DATA_DIR: data, HASH: hash },
  });
  assert.match(stdout, /No fault in 2 lines of 1 file/);
  assert.match(stdout, /get-weather {2}ok/);
});
