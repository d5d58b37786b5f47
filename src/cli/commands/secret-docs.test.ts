// The page on secrets says what the program does: its commands are run, its policies parsed.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { test } from 'node:test';
import { parsePolicy } from '../../policy/parse.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const PAGE = readFileSync(join(ROOT, 'docs/secrets.md'), 'utf8');

test('every policy of the page is parsed', () => {
  const examples = [...PAGE.matchAll(/^```yaml\n(.*?)^```$/gms)];
  assert.equal(examples.length, 1);
  for (const [, text] of examples) parsePolicy(text!);
});

test('every command of the page does what it says', { skip: process.platform === 'win32' }, (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'witbox-secret-docs-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'weather.wasm'), readFileSync(join(ROOT, 'test/fixtures/cell/add.wasm')));
  writeFileSync(join(folder, 'key.txt'), 'canary-value\n');
  const launcher = `#!/bin/sh\nexec "${process.execPath}" "${join(ROOT, 'bin/witbox.cjs')}" "$@"\n`;
  writeFileSync(join(folder, 'witbox'), launcher);
  chmodSync(join(folder, 'witbox'), 0o755);
  const env = {
    PATH: [folder, '/usr/bin', '/bin'].join(delimiter),
    HOME: folder,
    WITBOX_DATA_DIR: `${folder}/data`,
  };
  const [, block = ''] = /^```console\n(.*?)^```$/ms.exec(PAGE) ?? [];
  const steps = block.split(/^\$ /m).slice(1);
  assert.equal(steps.length, 7);
  for (const step of steps) {
    const [command = '', ...shown] = step.trimEnd().split('\n');
    const said = execFileSync('/bin/sh', ['-c', command], { cwd: folder, env, encoding: 'utf8' });
    if (shown.length > 0) assert.equal(said, `${shown.join('\n')}\n`, command);
    assert.doesNotMatch(said, /canary-value/);
  }
});
