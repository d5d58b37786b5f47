// Opens what a path leads to. The object is looked at before it is opened for real, so devices, FIFOs and sockets are
// never opened at all; truncation is a change like any other and happens last, on the object that was checked.

import { closeSync, constants, ftruncateSync, openSync } from 'node:fs';
import { HostFailure } from '../../core/port.ts';
import type { Descriptor, DescriptorFlag, DirectoryDescriptor, Root } from './descriptor.ts';
import { system } from './errno.ts';
import type { Entry, Place } from './place.ts';
import type { Rights } from './rights.ts';
import type { Target } from './walk.ts';

export const OPEN_FLAGS = ['create', 'directory', 'exclusive', 'truncate'] as const;
type OpenFlag = (typeof OPEN_FLAGS)[number];

export interface OpenRequest {
  readonly path: string;
  readonly follow: boolean;
  readonly open: ReadonlySet<OpenFlag>;
  readonly flags: ReadonlySet<DescriptorFlag>;
}

const { O_RDONLY, O_WRONLY, O_RDWR, O_CREAT, O_EXCL, O_NOFOLLOW = 0, O_SYNC = 0, O_DSYNC = 0 } = constants;

export function openAt(rights: Rights, base: DirectoryDescriptor, request: OpenRequest): Descriptor {
  const { open, flags } = request;
  const changes =
    flags.has('write') || flags.has('mutate-directory') || open.has('create') || open.has('truncate');
  if (open.has('directory') && (open.has('create') || open.has('truncate'))) throw new HostFailure('invalid');

  const target = rights.resolve(base, request.path, request.follow && !open.has('exclusive'));
  try {
    const path = rights.pathOf(base.root, target.dir, target.name);
    if (changes) rights.requireMutable(base, path);
    return target.name === null
      ? reopenDirectory(rights, base, target, path, request)
      : openNamed(rights, base, target, target.name, path, request);
  } finally {
    target.release();
  }
}

function openNamed(
  rights: Rights,
  base: DirectoryDescriptor,
  target: Target,
  name: string,
  path: string,
  request: OpenRequest,
): Descriptor {
  rights.requireKnown(path);
  const found = lookOrNull(target.dir, name);
  if (found === null) {
    if (!request.open.has('create')) throw new HostFailure('no-entry');
    if (target.mustBeDirectory) throw new HostFailure('is-directory');
    return createFile(rights, base, target.dir, name, path, request);
  }
  try {
    if (request.open.has('exclusive') && request.open.has('create')) throw new HostFailure('exist');
    return openFound(rights, base, found, path, target.mustBeDirectory, request);
  } finally {
    found.close();
  }
}

function openFound(
  rights: Rights,
  base: DirectoryDescriptor,
  found: Entry,
  path: string,
  mustBeDirectory: boolean,
  request: OpenRequest,
): Descriptor {
  const { open, flags } = request;
  if (found.stat.isSymbolicLink()) throw new HostFailure('loop');
  if (found.stat.isDirectory()) {
    rights.requireDirectory(path);
    if (flags.has('write') || open.has('truncate') || open.has('create'))
      throw new HostFailure('is-directory');
    return directory(base.root, found.enter(), base.flags);
  }
  if (open.has('directory') || mustBeDirectory) throw new HostFailure('not-directory');
  requireFile(rights, path, request);
  if (!found.stat.isFile()) throw new HostFailure('not-permitted');
  const fd = found.open(mode(flags, open.has('truncate')));
  if (open.has('truncate')) {
    try {
      system(() => ftruncateSync(fd, 0));
    } catch (error) {
      closeSync(fd);
      throw error;
    }
  }
  return file(base.root, fd, flags);
}

function createFile(
  rights: Rights,
  base: DirectoryDescriptor,
  dir: Place,
  name: string,
  path: string,
  request: OpenRequest,
): Descriptor {
  requireFile(rights, path, request);
  rights.require(path, 'write');
  const flags = mode(request.flags, false) | O_CREAT | O_EXCL | O_NOFOLLOW;
  return file(
    base.root,
    system(() => openSync(dir.child(name), flags, 0o644)),
    request.flags,
  );
}

/** `.` or a path that came back to the directory it started from. */
function reopenDirectory(
  rights: Rights,
  base: DirectoryDescriptor,
  target: Target,
  path: string,
  { open, flags }: OpenRequest,
): Descriptor {
  rights.requireDirectory(path);
  if (flags.has('write') || open.has('truncate')) throw new HostFailure('is-directory');
  if (open.has('create')) throw new HostFailure(open.has('exclusive') ? 'exist' : 'is-directory');
  return directory(base.root, target.dir.look('.').enter(), base.flags);
}

function requireFile(rights: Rights, path: string, { open, flags }: OpenRequest): void {
  if (flags.has('write') || open.has('truncate')) rights.require(path, 'write');
  if (flags.has('read') || !flags.has('write')) rights.require(path, 'read');
}

export function lookOrNull(dir: Place, name: string): Entry | null {
  try {
    return dir.look(name);
  } catch (error) {
    if (error instanceof HostFailure && error.code === 'no-entry') return null;
    throw error;
  }
}

function mode(flags: ReadonlySet<DescriptorFlag>, truncate: boolean): number {
  const write = flags.has('write') || truncate;
  const access = write ? (flags.has('read') ? O_RDWR : O_WRONLY) : O_RDONLY;
  const sync = flags.has('file-integrity-sync') ? O_SYNC : flags.has('data-integrity-sync') ? O_DSYNC : 0;
  return access | sync;
}

export function directory(root: Root, place: Place, flags: ReadonlySet<DescriptorFlag>): DirectoryDescriptor {
  return { kind: 'descriptor', type: 'directory', flags, root, place, close: () => place.close() };
}

function file(root: Root, fd: number, flags: ReadonlySet<DescriptorFlag>): Descriptor {
  return {
    kind: 'descriptor',
    type: 'regular-file',
    flags,
    root,
    fd,
    appendFd: null,
    close() {
      if (this.appendFd !== null) closeSync(this.appendFd);
      closeSync(fd);
    },
  };
}
