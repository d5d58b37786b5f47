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
  /** Whether callers of this view see another list than when they were last told of a change, or first looked. */
  differs(list: string, view: View, listing: Listing<unknown>): boolean;
}

interface Told {
  readonly listing: Listing<unknown>;
  readonly changed: boolean;
}

interface Kept {
  readonly from: string;
  readonly listing: Listing<unknown>;
}

const MOST_KEPT = 512;

export function createViews(catalog: Pick<Catalog, 'owner'>): Views {
  const kept = new Map<string, Kept>();
  const told = new Map<string, Told>();
  const remember = (name: string, listing: Listing<unknown>, changed: boolean): void => {
    told.delete(name);
    told.set(name, { listing, changed });
    if (told.size > MOST_KEPT) told.delete(told.keys().next().value!);
  };
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
      if (!told.has(name)) remember(name, listing, true);
      return listing;
    },
    differs(list, view, listing) {
      if (view.whole) return true;
      const name = `${list} ${view.key}`;
      const before = told.get(name);
      // Asked for each who listens; the answer for one version is one.
      if (before?.listing.version === listing.version) return before.changed;
      const changed = JSON.stringify(before?.listing.items) !== JSON.stringify(listing.items);
      remember(name, listing, changed);
      return changed;
    },
  };
}
