import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCursors } from './cursor.ts';
import type { RawResult, Request } from './dialect.ts';
import { createLists } from './lists.ts';

const lists = () => createLists(createCursors(Buffer.alloc(32, 1)), 2, 4);
const request = (revision: string, cursor?: string) =>
  ({
    method: 'tools/list',
    params: cursor === undefined ? {} : { cursor },
    dialect: { revision, seal: (_: string, result: object) => result },
  }) as unknown as Request;
const page = (
  all: ReturnType<typeof lists>,
  items: string[],
  version: string,
  cursor?: string,
  show = (x: string) => ({ x }),
) => all.page(request('r', cursor), { version, items }, 'tools', show, (item) => item);
const read = (raw: RawResult) => JSON.parse(raw.json) as { tools: { x: string }[]; nextCursor?: string };

test('a page is serialised once per version', () => {
  const all = lists();
  let shown = 0;
  const show = (x: string) => {
    shown += 1;
    return { x };
  };
  const first = page(all, ['a', 'b', 'c'], '1', undefined, show);
  assert.equal(page(all, ['a', 'b', 'c'], '1', undefined, show), first);
  assert.equal(shown, 2);
  assert.notEqual(page(all, ['a', 'c'], '2', undefined, show), first);
});

test('paging goes on behind the last item even if the list changed meanwhile, and always ends', () => {
  const all = lists();
  const { nextCursor } = read(page(all, ['a', 'b', 'c', 'd'], '1'));
  const names = (items: string[], version: string) =>
    read(page(all, items, version, nextCursor)).tools.map(({ x }) => x);
  assert.deepEqual(names(['a', 'b', 'c', 'd'], '1'), ['c', 'd']);
  assert.deepEqual(names(['0', 'a', 'b', 'c'], '2'), ['c'], 'something came before');
  assert.deepEqual(names(['a', 'c', 'd'], '3'), ['d'], 'the last one is gone: its place counts');
  assert.deepEqual(names(['a'], '4'), []);
});

test('kept pages are bounded', () => {
  const all = lists();
  const first = page(all, ['a'], '0');
  for (let version = 1; version < 10; version += 1) page(all, ['a'], `${version}`);
  assert.notEqual(page(all, ['a'], '0'), first);
});
