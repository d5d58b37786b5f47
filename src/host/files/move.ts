// Whether a file or a whole directory may get a new name. Globs can give each path below a directory its own rule, so
// everything in a moved directory is checked at its old and its new path; a directory too large to check is refused.

import { readdirSync, readlinkSync } from 'node:fs';
import { HostFailure } from '../../core/port.ts';
import { system } from './errno.ts';
import { pointsOut } from './names.ts';
import type { Place } from './place.ts';
import type { Rights } from './rights.ts';

/** Checked in one go while nobody else is served. */
const MOST_ENTRIES = 1000;
/** Each level holds a descriptor of the broker while it is checked. */
const MOST_DEPTH = 128;

/** A path as the policy knows it, and how deep its directory lies below the granted one. */
interface Where {
  readonly path: string;
  readonly depth: number;
}

export function createMoveCheck(rights: Rights) {
  let left = MOST_ENTRIES;

  /**
   * One rule for the old tree, one for the new, and no link that gets nearer to the border: nothing in it can gain a
   * right, however large it is.
   */
  function movesFreely(oldPath: string, newPath: string, oldDepth: number, depth: number): boolean {
    return (
      depth >= oldDepth &&
      rights.allowsTree(oldPath, 'read') &&
      rights.allowsTree(oldPath, 'write') &&
      rights.allowsTree(newPath, 'write')
    );
  }

  /** `depth` is how deep the new parent lies below the granted directory. */
  function move(dir: Place, name: string, oldPath: string, newPath: string, depth: number): void {
    if (--left < 0 || depth > MOST_DEPTH) throw new HostFailure('not-permitted');
    rights.require(oldPath, 'write');
    rights.require(newPath, 'write');
    if (rights.allows(newPath, 'read')) rights.require(oldPath, 'read');
    const entry = dir.look(name);
    if (entry.stat.isSymbolicLink()) {
      entry.close();
      const aim = system(() => readlinkSync(dir.child(name)));
      if (pointsOut(aim, depth)) throw new HostFailure('not-permitted');
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

  return {
    check(dir: Place, name: string, old: Where, to: Where): void {
      if (!movesFreely(old.path, to.path, old.depth, to.depth)) move(dir, name, old.path, to.path, to.depth);
    },
  };
}
