// Building: nothing twice, nothing old, and what is committed is what its source gives.

import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { importJco } from '../test/toolchain/npm-tools.ts';
import { buildExample, isBuilt } from './build.ts';
import { EXAMPLES, exampleNamed } from './list.ts';

const ROOT = resolve(import.meta.dirname, '..');

test('a component is built once and stands with its sidecars', async () => {
  const time = exampleNamed('time');
  const file = await buildExample(time);
  const { mtimeMs } = statSync(file);
  assert.equal(await isBuilt(time), true);
  assert.equal(await buildExample(time), file);
  assert.equal(statSync(file).mtimeMs, mtimeMs);
  assert.ok(existsSync(file.replace('.wasm', '.tools.yaml')));
});

test('no name of the build is left in a component', async () => {
  const bytes = readFileSync(await buildExample(exampleNamed('wikipedia'))).toString('latin1');
  assert.ok(bytes.includes('wasi:http/types@0.2.6'));
  assert.ok(!bytes.includes('wasx:'));
});

test('committed components are small', () => {
  for (const file of globSync('examples/**/*.wasm', { cwd: ROOT })) {
    assert.ok(statSync(join(ROOT, file)).size < 200 * 1_024, file);
  }
});

const withoutTools = !existsSync(join(ROOT, '.cache/tools')) && 'jco is not fetched, run "npm run fixtures"';

test('committed modules in WAT are what their text says', { skip: withoutTools }, async () => {
  const { parse } = await importJco();
  for (const { folder, name } of EXAMPLES.filter(({ language }) => language === 'wat')) {
    const file = join(ROOT, folder, name);
    const bytes = await parse(readFileSync(`${file}.wat`, 'utf8'));
    assert.deepEqual(Buffer.from(bytes), readFileSync(`${file}.wasm`), name);
  }
});
