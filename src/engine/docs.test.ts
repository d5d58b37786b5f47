import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = new URL('../../', import.meta.url);

it('the example in docs/engine.md runs and prints what it says', async () => {
  const text = await readFile(new URL('docs/engine.md', root), 'utf8');
  const [, code = ''] = /```ts\n(.*?)```/s.exec(text) ?? [];
  const [, output = ''] = /```text\n(.*?)```/s.exec(text) ?? [];
  const folder = await mkdtemp(join(tmpdir(), 'witbox-docs-'));
  try {
    const file = join(folder, 'example.mts');
    await writeFile(
      file,
      code.replace("'witbox/engine'", JSON.stringify(new URL('engine.ts', import.meta.url).href)),
    );
    const { stdout } = await promisify(execFile)(process.execPath, [file], { cwd: fileURLToPath(root) });
    assert.equal(stdout, output);
  } finally {
    await rm(folder, { recursive: true });
  }
});
