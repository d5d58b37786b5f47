// Changes of names: make, remove, rename and link. Each checks the rights of the descriptor and the policy of every
// path it touches; a name that moves must not gain a right on the way (a file that may only be written must not become
// readable by its new name), nor may a link come to point out of the granted directory.

import { linkSync, mkdirSync, readlinkSync, renameSync, rmdirSync, symlinkSync, unlinkSync } from 'node:fs';
import { HostFailure } from '../../core/port.ts';
import type { DirectoryDescriptor } from './descriptor.ts';
import { system } from './errno.ts';
import { createMoveCheck } from './move.ts';
import type { Place } from './place.ts';
import type { Rights } from './rights.ts';
import type { Target } from './walk.ts';

interface Named extends Target {
  readonly name: string;
}

/** The change itself: everything is resolved, allowed, and held until it returns. */
type Change = (dir: Place, name: string, target: Named, path: string) => void;

/** Resolves the place of a change without following a last link, checks it, and makes the change. */
function change(rights: Rights, base: DirectoryDescriptor, path: string, make: Change): void {
  const target = rights.resolve(base, path, false);
  try {
    const real = rights.pathOf(base.root, target.dir, target.name);
    rights.requireMutable(base, real);
    if (target.name === null) throw new HostFailure('invalid');
    rights.require(real, 'write');
    make(target.dir, target.name, target as Named, real);
  } finally {
    target.release();
  }
}

export function createDirectoryAt(rights: Rights, base: DirectoryDescriptor, path: string): void {
  change(rights, base, path, (dir, name) => system(() => mkdirSync(dir.child(name), 0o755)));
}

export function removeDirectoryAt(rights: Rights, base: DirectoryDescriptor, path: string): void {
  change(rights, base, path, (dir, name) => system(() => rmdirSync(dir.child(name))));
}

export function unlinkFileAt(rights: Rights, base: DirectoryDescriptor, path: string): void {
  change(rights, base, path, (dir, name, target) => {
    const entry = dir.look(name);
    entry.close();
    if (entry.stat.isDirectory()) throw new HostFailure('is-directory');
    if (target.mustBeDirectory) throw new HostFailure('not-directory');
    system(() => unlinkSync(dir.child(name)));
  });
}

export function symlinkAt(rights: Rights, base: DirectoryDescriptor, aim: string, path: string): void {
  if (aim === '') throw new HostFailure('no-entry');
  if (aim.length > 4096) throw new HostFailure('name-too-long');
  if (aim.includes('\0')) throw new HostFailure('invalid');
  change(rights, base, path, (dir, name, target) => {
    if (target.mustBeDirectory) throw new HostFailure('no-entry');
    if (pointsOut(aim, depthOf(base, dir))) throw new HostFailure('not-permitted');
    system(() => symlinkSync(aim, dir.child(name)));
  });
}

export function readlinkAt(rights: Rights, base: DirectoryDescriptor, path: string): string {
  const target = rights.resolve(base, path, false);
  try {
    const { dir, name } = target;
    if (name === null) throw new HostFailure('invalid');
    rights.require(rights.pathOf(base.root, dir, name), 'read');
    const aim = system(() => readlinkSync(dir.child(name)));
    // An absolute target is a path of the machine, which is none of the guest's business.
    if (aim.startsWith('/')) throw new HostFailure('not-permitted');
    return aim;
  } finally {
    target.release();
  }
}

export function renameAt(
  rights: Rights,
  from: DirectoryDescriptor,
  oldPath: string,
  to: DirectoryDescriptor,
  newPath: string,
): void {
  change(rights, from, oldPath, (oldDir, oldName, oldTarget, oldReal) =>
    change(rights, to, newPath, (newDir, newName, newTarget, newReal) => {
      const entry = oldDir.look(oldName);
      entry.close();
      const isDirectory = entry.stat.isDirectory();
      if (!isDirectory && (oldTarget.mustBeDirectory || newTarget.mustBeDirectory)) {
        throw new HostFailure('not-directory');
      }
      createMoveCheck(rights).check(
        oldDir,
        oldName,
        { path: oldReal, depth: depthOf(from, oldDir) },
        { path: newReal, depth: depthOf(to, newDir) },
      );
      system(() => renameSync(oldDir.child(oldName), newDir.child(newName)));
    }),
  );
}

export function linkAt(
  rights: Rights,
  from: DirectoryDescriptor,
  oldPath: string,
  to: DirectoryDescriptor,
  newPath: string,
): void {
  // A second name gives whoever holds it the same bytes: the first name must be fully theirs.
  change(rights, from, oldPath, (oldDir, oldName, oldTarget, oldReal) => {
    rights.require(oldReal, 'read');
    change(rights, to, newPath, (newDir, newName, newTarget, newReal) => {
      const entry = oldDir.look(oldName);
      entry.close();
      if (oldTarget.mustBeDirectory || newTarget.mustBeDirectory) throw new HostFailure('no-entry');
      if (entry.stat.isSymbolicLink()) {
        // Elsewhere the system would link what the link points to.
        if (process.platform !== 'linux') throw new HostFailure('unsupported');
        const aim = system(() => readlinkSync(oldDir.child(oldName)));
        if (pointsOut(aim, depthOf(to, newDir))) throw new HostFailure('not-permitted');
      } else if (!entry.stat.isFile()) throw new HostFailure('not-permitted');
      createMoveCheck(rights).check(
        oldDir,
        oldName,
        { path: oldReal, depth: depthOf(from, oldDir) },
        { path: newReal, depth: depthOf(to, newDir) },
      );
      system(() => linkSync(oldDir.child(oldName), newDir.child(newName)));
    });
  });
}

/** How many directories lie between the granted one and this. */
function depthOf(base: DirectoryDescriptor, dir: Place): number {
  const root = base.root.place.where();
  return dir
    .where()
    .slice(root.length)
    .split(/[\\/]/)
    .filter((name) => name !== '').length;
}

/**
 * Whether a link with this target, standing `depth` directories below the granted one, could lead out. Only leading
 * `..` can be counted: after a name it may follow another link, so there it is refused.
 */
export function pointsOut(aim: string, depth: number): boolean {
  if (/^[\\/]|^[A-Za-z]:/.test(aim)) return true;
  const names = aim.split('/').filter((name) => name !== '' && name !== '.');
  const ups = names.findIndex((name) => name !== '..');
  const leading = ups === -1 ? names.length : ups;
  return leading > depth || names.slice(leading).includes('..');
}
