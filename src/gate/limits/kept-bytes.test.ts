import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { createLogger } from '../../core/log.ts';
import { openDailyBytes } from './kept-bytes.ts';

const NOON = Date.UTC(2026, 0, 2, 12);
const DAY = 86_400_000;

async function inFolder(work: (folder: string) => Promise<void> | void): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'witbox-bytes-'));
  try {
    await work(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

const log = createLogger({ levels: 'silent', write() {} });
const open = (folder: string, time: number) => openDailyBytes(folder, log, () => time);

test('what was used before a restart counts until the day is over', () =>
  inFolder((folder) => {
    const before = open(folder, NOON);
    before.add('key:ci', 900);
    before.close();
    const after = open(folder, NOON + 60_000);
    assert.equal(after.exhausted('key:ci', 1_000), 0);
    after.add('key:ci', 100);
    assert.ok(after.exhausted('key:ci', 1_000) > 0);
    after.close();
    const back = open(folder, NOON - DAY);
    assert.ok(back.exhausted('key:ci', 1_000) > 0, 'a clock set back between two runs');
    back.close();
    const tomorrow = open(folder, NOON + DAY);
    assert.equal(tomorrow.exhausted('key:ci', 1_000), 0);
    tomorrow.close();
  }));

test('a file that is broken counts nothing and is replaced', () =>
  inFolder(async (folder) => {
    for (const text of ['', '{', '[]', 'null', '{"day":"x","used":[]}', '{"day":1,"used":[["a"],[1,2]]}']) {
      await writeFile(join(folder, 'bytes-of-today.json'), text);
      const bytes = open(folder, NOON);
      assert.equal(bytes.exhausted('a', 1), 0, text);
      bytes.add('a', 5);
      bytes.close();
      const again = open(folder, NOON);
      assert.ok(again.exhausted('a', 5) > 0, text);
      again.close();
    }
  }));

test('a folder that cannot be written to is no reason to stop', () =>
  inFolder((folder) => {
    const bytes = open(join(folder, 'missing'), NOON);
    bytes.add('a', 5);
    bytes.close();
    assert.ok(bytes.exhausted('a', 5) > 0);
  }));
