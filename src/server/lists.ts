// The list methods: pages of a listing, serialised once per revision, version and page and then kept as text, since
// clients ask for the same list again and again. Bounded: the oldest pages go first.

import type { Listing } from '../catalog/catalog.ts';
import { type JsonObject, own } from '../core/json.ts';
import type { Cursors } from './cursor.ts';
import { RawResult, type Request } from './dialect.ts';
import { wrong } from './params.ts';

export interface Lists {
  /** One page of `listing` as the result of `request`, under the key that the method's result has. */
  page<T>(
    request: Request,
    listing: Listing<T>,
    key: string,
    show: (item: T) => JsonObject,
    nameOf: (item: T) => string,
  ): RawResult;
}

export function createLists(cursors: Cursors, pageSize: number, maxKept = 256): Lists {
  const kept = new Map<string, RawResult>();
  return {
    page(request, listing, key, show, nameOf) {
      const cursor = own(request.params, 'cursor');
      if (cursor !== undefined && typeof cursor !== 'string') throw wrong('cursor', 'a string', cursor);
      const start = cursor === undefined ? 0 : resume(listing.items, cursors.read(key, cursor), nameOf);
      const name = `${request.dialect.revision} ${key} ${start} ${listing.version}`;
      const found = kept.get(name);
      if (found) return found;
      const items = listing.items.slice(start, start + pageSize);
      const result: Record<string, JsonObject[] | string> = { [key]: items.map(show) };
      if (start + items.length < listing.items.length) {
        const last = nameOf(items.at(-1)!);
        result.nextCursor = cursors.write(key, { offset: start + items.length, last });
      }
      const raw = new RawResult(JSON.stringify(request.dialect.seal(request.method, result)));
      kept.set(name, raw);
      if (kept.size > maxKept) kept.delete(kept.keys().next().value!);
      return raw;
    },
  };
}

function resume<T>(
  items: readonly T[],
  position: { offset: number; last: string },
  nameOf: (item: T) => string,
): number {
  const before = items[position.offset - 1];
  if (before !== undefined && nameOf(before) === position.last) return position.offset;
  const at = items.findIndex((item) => nameOf(item) === position.last);
  return at < 0 ? Math.min(position.offset, items.length) : at + 1;
}
