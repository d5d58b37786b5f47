// May this descriptor, at this place, do this? Two questions each time: the rights the descriptor was opened with, and
// the policy for the very path (globs may allow one file and deny its neighbour). Refusals are recorded as denials.

import { join, relative, sep } from 'node:path';
import { HostFailure } from '../../core/port.ts';
import { permissionOf } from '../../policy/permission.ts';
import type { Denials } from '../denials.ts';
import type { Access, Grants } from '../grants.ts';
import type { Descriptor, DirectoryDescriptor, Root } from './descriptor.ts';
import type { Place } from './place.ts';
import { PathEscape, type Target, walk } from './walk.ts';

export interface Rights {
  /** Walks a path; leaving the descriptor is a denial. */
  resolve(base: DirectoryDescriptor, path: string, followLast: boolean): Target;
  /** The path a policy knows a place by; refuses a directory that was moved out of its root. */
  pathOf(root: Root, dir: Place, name: string | null): string;
  require(path: string, access: Access): void;
  allows(path: string, access: Access): boolean;
  /** Whether the path and all that could be below it is allowed. */
  allowsTree(path: string, access: Access): boolean;
  /** For a directory, which may be read or lead to something granted. */
  requireDirectory(path: string): void;
  showsDirectory(path: string): boolean;
  /** Refuses to say whether a path exists to whoever has no business with it. */
  requireKnown(path: string): void;
  /** Refuses a change through a descriptor that is for reading only. */
  requireMutable(base: DirectoryDescriptor, path: string): void;
}

export function createRights(grants: Grants, denials: Denials): Rights {
  const storage = (path: string, access: Access) => grants.decide({ kind: 'storage', path, access });
  const refuse = (path: string, access: Access, reason: string): void =>
    denials.add(permissionOf({ kind: 'storage', path, access }), reason);
  const showsDirectory = (path: string): boolean => {
    const decision = storage(path, 'read');
    return decision.allowed || (decision.rule === null && grants.reaches(path));
  };
  const requireKnown = (path: string): void => {
    if (!showsDirectory(path) && !storage(path, 'write').allowed)
      denials.require(storage(path, 'read'), 'access');
  };
  const pathOf = (root: Root, dir: Place, name: string | null): string => {
    const below = relative(root.place.where(), dir.where());
    if (below === '..' || below.startsWith(`..${sep}`) || below.startsWith(sep)) {
      refuse(root.hostPath, 'read', 'Directory was moved out of the granted one');
      throw new HostFailure('not-permitted');
    }
    return join(root.hostPath, below, name ?? '').replace(/(.)\/$/, '$1');
  };
  return {
    resolve(base, path, followLast) {
      try {
        return walk(base, path, followLast, (dir, name) => requireKnown(pathOf(base.root, dir, name)));
      } catch (error) {
        if (error instanceof PathEscape) {
          refuse(`${base.root.hostPath}/${path}`, 'read', 'Path leaves the granted directory');
        }
        throw error;
      }
    },
    pathOf,
    require(path, access) {
      denials.require(storage(path, access), 'access');
    },
    allowsTree: (path, access) => grants.coversTree(path, access),
    allows: (path, access) => storage(path, access).allowed,
    requireDirectory(path) {
      if (!showsDirectory(path)) denials.require(storage(path, 'read'), 'access');
    },
    showsDirectory,
    requireKnown,
    requireMutable(base, path) {
      if (base.flags.has('mutate-directory')) return;
      refuse(path, 'write', 'Directory is granted for reading only');
      throw new HostFailure('read-only');
    },
  };
}

export function asDirectory(descriptor: Descriptor): DirectoryDescriptor {
  if (descriptor.type !== 'directory') throw new HostFailure('not-directory');
  return descriptor;
}
