// Reading a directory, some entries at a time. Entries that no rule lets the guest use are left out; a directory is
// shown if something granted may lie below.

import { type Dir, opendirSync } from 'node:fs';
import type { WireValue } from '../../core/port.ts';
import type { Holding } from '../handles.ts';
import type { DirectoryDescriptor } from './descriptor.ts';
import { system } from './errno.ts';
import type { Rights } from './rights.ts';
import { typeOf } from './status.ts';

const AT_ONCE = 256;

export interface Listing extends Holding {
  readonly kind: 'listing';
  /** The next entries as [type, name]; none at the end. */
  next(): WireValue;
}

export function openListing(rights: Rights, base: DirectoryDescriptor): Listing {
  const path = rights.pathOf(base.root, base.place, null);
  rights.requireDirectory(path);
  const dir: Dir = system(() => opendirSync(base.place.self(), { bufferSize: AT_ONCE }));
  return {
    kind: 'listing',
    next() {
      const found: WireValue[] = [];
      while (found.length < AT_ONCE) {
        const entry = system(() => dir.readSync());
        if (entry === null) break;
        const own = `${path === '/' ? '' : path}/${entry.name}`;
        const shown = entry.isDirectory() ? rights.showsDirectory(own) : rights.allows(own, 'read');
        if (shown || rights.allows(own, 'write')) {
          found.push([typeOf(entry), entry.name]);
        }
      }
      return found;
    },
    close: () => dir.closeSync(),
  };
}
