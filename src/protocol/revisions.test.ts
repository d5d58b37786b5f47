import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { createLogger } from '../core/log.ts';
import { createRevisions } from './revisions.ts';

const folder = join(import.meta.dirname, 'revisions');
const names = readdirSync(folder);
const revisions = createRevisions({ name: 't', version: '1' }, createLogger({ write: () => {} }));

test('every revision is a folder of its own, named after it, newest first in the list', () => {
  assert.deepEqual(
    revisions.all.map(({ revision }) => revision),
    names.sort().reverse(),
  );
});

test('no revision stands on another, so that each can be dropped with its folder', () => {
  for (const name of names) {
    for (const file of readdirSync(join(folder, name))) {
      assert.doesNotMatch(
        readFileSync(join(folder, name, file), 'utf8'),
        /from '\.\.\/\d/,
        `${name}/${file}`,
      );
    }
  }
});

test('a revision either opens with a handshake or is named by each request', () => {
  for (const { opening, requests, http } of revisions.all) {
    assert.equal(requests.has('initialize'), opening === 'handshake');
    assert.equal(http.sessions, opening === 'handshake');
  }
  assert.equal(revisions.newestWithHandshake.revision, '2025-11-25');
  assert.equal(revisions.oldest.revision, '2024-11-05');
  assert.equal(revisions.withoutHeader.revision, '2025-03-26');
  assert.deepEqual(revisions.perRequest, ['2026-07-28']);
});
