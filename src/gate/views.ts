// Lists as a caller may see them. Kept per kind, version and view, so that a list of a thousand tools is looked through
// once for all callers whom the same rules name. A filtered list has a version of its own: lists are serialised once per
// version, and what one caller sees must never be sent to another.

import type { Catalog, Listing } from '../catalog/catalog.ts';
import type { View } from './access/access.ts';
import { wantedOf } from './access/wanted.ts';

export interface Views {
  filter<T>(
    kind: 'tool' | 'resource' | 'prompt',
    list: string,
    view: View,
    all: Listing<T>,
    keyOf: (item: T) => string,
  ): Listing<T>;
}

interface Kept {
  readonly from: string;
  readonly listing: Listing<unknown>;
}

const MOST_KEPT = 512;

export function createViews(catalog: Pick<Catalog, 'owner'>): Views {
  const kept = new Map<string, Kept>();
  return {
    filter<T>(
      kind: 'tool' | 'resource' | 'prompt',
      list: string,
      view: View,
      all: Listing<T>,
      keyOf: (item: T) => string,
    ): Listing<T> {
      if (view.whole) return all;
      const name = `${list} ${view.key}`;
      const found = kept.get(name);
      if (found?.from === all.version) return found.listing as Listing<T>;
      const items = all.items.filter((item) => {
        const key = keyOf(item);
        const owner = catalog.owner(kind, key);
        return owner !== undefined && view.mayUse(wantedOf(kind, key, owner)).allowed;
      });
      const listing: Listing<T> = { version: `${all.version}/${view.key}`, items };
      kept.delete(name);
      kept.set(name, { from: all.version, listing });
      if (kept.size > MOST_KEPT) kept.delete(kept.keys().next().value!);
      return listing;
    },
  };
}
