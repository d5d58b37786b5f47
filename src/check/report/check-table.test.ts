import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { checkTable } from './check-table.ts';

test('docs/check.md has the table of all checks as it is', async () => {
  const page = await readFile(join(import.meta.dirname, '../../../docs/check.md'), 'utf8');
  const shown = /<!-- checks -->\n+([\s\S]*?)\n*<!-- \/checks -->/.exec(page)?.[1];
  assert.equal(shown, checkTable().trim(), 'run: witbox check --list, and paste it between the marks');
});
