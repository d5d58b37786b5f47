// Reading a directory, some entries at a time. Entries that no rule lets the guest use are left out; a directory is
// shown if something granted may lie below.

import { type Dir, opendirSync } from 'node:fs';
import type { WireValue } from '../../core/port.ts';
import type { Holding } from '../handles.ts';
import type { DirectoryDescriptor } from './descriptor.ts';
import { system } from './errno.ts';
import { lookOrNull } from './open.ts';
import type { Rights } from './rights.ts';
import { identityOf, typeOf } from './status.ts';

const AT_ONCE = 256;

export interface Listing extends Holding {
  readonly kind: 'listing';
  /** The next entries as [type, name], or [type, name, identity], which takes a look at each; none at the end. */
  next(withIdentity: boolean): WireValue;
}

export function openListing(rights: Rights, secret: Uint8Array, base: DirectoryDescriptor): Listing {
  const path = rights.pathOf(base.root, base.place, null);
  rights.requireDirectory(path);
  const dir: Dir = system(() => opendirSync(base.place.self(), { bufferSize: AT_ONCE }));
  const identity = (name: string): bigint => {
    const entry = lookOrNull(base.place, name);
    entry?.close();
    // Removed since it was listed.
    return entry === null ? 0n : identityOf(secret, entry.stat)[0];
  };
  return {
    kind: 'listing',
    next(withIdentity) {
      const found: WireValue[] = [];
      while (found.length < AT_ONCE) {
        const entry = system(() => dir.readSync());
        if (entry === null) break;
        const own = `${path === '/' ? '' : path}/${entry.name}`;
        const shown = entry.isDirectory() ? rights.showsDirectory(own) : rights.allows(own, 'read');
        if (shown || rights.allows(own, 'write')) {
          found.push(
            withIdentity ? [typeOf(entry), entry.name, identity(entry.name)] : [typeOf(entry), entry.name],
          );
        }
      }
      return found;
    },
    close: () => dir.closeSync(),
  };
}
