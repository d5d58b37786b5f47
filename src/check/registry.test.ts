import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { REVISIONS } from './model.ts';
import { CHECKS } from './registry.ts';

async function readHeadings(): Promise<Map<string, ReadonlySet<string>>> {
  const text = await readFile(join(import.meta.dirname, 'specification-headings.txt'), 'utf8');
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => {
      const [revision, page, ...headings] = line.split(' ');
      return [`${revision}/${page}`, new Set(headings)];
    }),
  );
}

test('every clause stands in the specification of every revision that its check applies to', async () => {
  const headings = await readHeadings();
  const missing: string[] = [];
  for (const check of CHECKS) {
    for (const revision of check.revisions) {
      const { page, heading } = typeof check.clause === 'function' ? check.clause(revision) : check.clause;
      const found = headings.get(`${revision}/${page}`);
      if (found === undefined || (heading !== undefined && !found.has(heading)))
        missing.push(`${check.id} ${revision}/${page}#${heading ?? ''}`);
    }
  }
  assert.deepEqual(missing, []);
});

test('every check has an id of its own, applies somewhere, and says what to change in one sentence', () => {
  assert.equal(new Set(CHECKS.map(({ id }) => id)).size, CHECKS.length);
  for (const { id, title, remedy, revisions, transports } of CHECKS) {
    assert.match(id, /^[SJVHFX]\d\d$/);
    assert.ok(revisions.length > 0 && transports.length > 0, id);
    assert.deepEqual(
      [...revisions],
      REVISIONS.filter((one) => revisions.includes(one)),
      `${id} in order`,
    );
    for (const text of [title, remedy]) assert.match(text, /^[\p{Lu}\p{Ll}\d][^\n]*[^.\s]$/u, id);
  }
});
