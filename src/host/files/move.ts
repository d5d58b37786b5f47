// Whether a file or a whole directory may get a new name. Globs can give each path below a directory its own rule, so
// everything in a moved directory is checked at its old and its new path; a directory too large to check is refused.

import { readdirSync, readlinkSync } from 'node:fs';
import { HostFailure } from '../../core/port.ts';
import { system } from './errno.ts';
import { pointsOut } from './names.ts';
import type { Place } from './place.ts';
import type { Rights } from './rights.ts';

const MOST_ENTRIES = 10_000;
/** Each level holds a descriptor of the broker while it is checked. */
const MOST_DEPTH = 128;

export function createMoveCheck(rights: Rights) {
  let left = MOST_ENTRIES;

  /** `depth` is how deep the new parent lies below the granted directory. */
  function move(dir: Place, name: string, oldPath: string, newPath: string, depth: number): void {
    if (--left < 0 || depth > MOST_DEPTH) throw new HostFailure('not-permitted');
    rights.require(oldPath, 'write');
    rights.require(newPath, 'write');
    if (rights.allows(newPath, 'read')) rights.require(oldPath, 'read');
    const entry = dir.look(name);
    if (entry.stat.isSymbolicLink()) {
      entry.close();
      if (
        pointsOut(
          system(() => readlinkSync(dir.child(name))),
          depth,
        )
      )
        throw new HostFailure('not-permitted');
    } else if (entry.stat.isDirectory()) {
      const inner = entry.enter();
      try {
        for (const child of system(() => readdirSync(inner.self()))) {
          move(inner, child, `${oldPath}/${child}`, `${newPath}/${child}`, depth + 1);
        }
      } finally {
        inner.close();
      }
    } else {
      entry.close();
    }
  }

  return { move };
}
