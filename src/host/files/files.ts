// The file operations of one call, by the names that wasi/ asks them under. Each takes its arguments apart, finds the
// descriptor and hands over; all but `sync` finish in the same turn, so two operations never see half of each other.

import { randomBytes } from 'node:crypto';
import { dirname } from 'node:path';
import { HostFailure, type WireValue } from '../../core/port.ts';
import type { Denials } from '../denials.ts';
import type { Grants } from '../grants.ts';
import type { Handles } from '../handles.ts';
import type { HostLimits } from '../limits.ts';
import type { Operations } from '../operations.ts';
import { bytes, integer, names, text, u64 } from '../wire-args.ts';
import { appendFile, readFile, setSize, sync, wholeContent, writeFile } from './data.ts';
import {
  DESCRIPTOR_FLAGS,
  type Descriptor,
  type DescriptorFlag,
  type DirectoryDescriptor,
} from './descriptor.ts';
import { type Listing, openListing } from './listing.ts';
import * as change from './names.ts';
import { directory, OPEN_FLAGS, openAt } from './open.ts';
import { openRoot, type Place } from './place.ts';
import { asDirectory, createRights } from './rights.ts';
import * as status from './status.ts';

const PATH_FLAGS = ['symlink-follow'] as const;
type Args = readonly WireValue[];

export interface Files {
  readonly operations: Operations;
  /** Opens the granted directories: [handle, name for the guest, flags] each. One that does not exist is left out. */
  preopen(): readonly WireValue[];
  close(): void;
}

export function createFiles(grants: Grants, denials: Denials, handles: Handles, limits: HostLimits): Files {
  const rights = createRights(grants, denials);
  const secret = randomBytes(32);
  // A root outlives the guest's own descriptor of it: every path below is measured against it.
  const roots: Place[] = [];
  const descriptor = (args: Args, at: number): Descriptor =>
    handles.get<Descriptor>('descriptor', integer(args, at));
  const dir = (args: Args, at: number): DirectoryDescriptor => asDirectory(descriptor(args, at));
  const follow = (args: Args, at: number): boolean => names(args, at, PATH_FLAGS).has('symlink-follow');
  const time = (args: Args, at: number): status.NewTime => {
    const value = args[at];
    return value === 'no-change' || value === 'now' ? value : u64(args, at);
  };
  const path = (args: Args, at: number): string => {
    const value = args[at];
    if (typeof value === 'string' && value.length > 4096) throw new HostFailure('name-too-long');
    return text(args, at);
  };

  let writable = limits.writtenBytes;
  const written = (args: Args, at: number): Uint8Array => {
    const given = bytes(args, at, limits.chunkBytes);
    writable -= given.byteLength;
    if (writable < 0) throw new HostFailure('quota');
    return given;
  };

  const operations: Operations = {
    'fs.open-at': (args) => {
      const opened = openAt(rights, dir(args, 0), {
        follow: follow(args, 1),
        path: path(args, 2),
        open: names(args, 3, OPEN_FLAGS),
        flags: names(args, 4, DESCRIPTOR_FLAGS),
      });
      return [handles.add(opened), opened.type, [...opened.flags], wholeContent(opened)];
    },
    'fs.read': (args) =>
      readFile(descriptor(args, 0), u64(args, 1), Math.min(integer(args, 2), limits.chunkBytes)),
    'fs.write': (args) => writeFile(descriptor(args, 0), u64(args, 1), written(args, 2)),
    'fs.append': (args) => appendFile(descriptor(args, 0), written(args, 1)),
    'fs.set-size': (args) => done(setSize(descriptor(args, 0), u64(args, 1))),
    'fs.sync': async (args) => done(await sync(descriptor(args, 0), false)),
    'fs.sync-data': async (args) => done(await sync(descriptor(args, 0), true)),
    'fs.stat': (args) => status.statRow(secret, status.statOf(descriptor(args, 0))),
    'fs.stat-at': (args) =>
      status.statRow(secret, status.statAt(rights, dir(args, 0), path(args, 2), follow(args, 1))),
    'fs.set-times': (args) => done(status.setTimes(descriptor(args, 0), time(args, 1), time(args, 2))),
    'fs.set-times-at': (args) =>
      done(
        status.setTimesAt(rights, dir(args, 0), path(args, 2), follow(args, 1), time(args, 3), time(args, 4)),
      ),
    'fs.metadata-hash': (args) => status.identityOf(secret, status.statOf(descriptor(args, 0))),
    'fs.metadata-hash-at': (args) =>
      status.identityOf(secret, status.statAt(rights, dir(args, 0), path(args, 2), follow(args, 1))),
    'fs.is-same-object': (args) =>
      status.sameObject(status.statOf(descriptor(args, 0)), status.statOf(descriptor(args, 1))),
    'fs.list': (args) => handles.add(openListing(rights, secret, dir(args, 0))),
    'fs.list-next': (args) => handles.get<Listing>('listing', integer(args, 0)).next(args[1] === true),
    'fs.create-directory-at': (args) => done(change.createDirectoryAt(rights, dir(args, 0), path(args, 1))),
    'fs.remove-directory-at': (args) => done(change.removeDirectoryAt(rights, dir(args, 0), path(args, 1))),
    'fs.unlink-file-at': (args) => done(change.unlinkFileAt(rights, dir(args, 0), path(args, 1))),
    'fs.symlink-at': (args) => done(change.symlinkAt(rights, dir(args, 0), path(args, 1), path(args, 2))),
    'fs.readlink-at': (args) => change.readlinkAt(rights, dir(args, 0), path(args, 1)),
    'fs.rename-at': (args) =>
      done(change.renameAt(rights, dir(args, 0), path(args, 1), dir(args, 2), path(args, 3))),
    'fs.link-at': (args) => {
      // Linking what a link points to would need the kernel to follow it.
      if (follow(args, 1)) throw new HostFailure('invalid');
      return done(change.linkAt(rights, dir(args, 0), path(args, 2), dir(args, 3), path(args, 4)));
    },
  };

  return {
    operations,
    preopen() {
      const opened = new Map<string, WireValue>();
      for (const { hostPath, guestPath, writable } of grants.preopens) {
        const flags = new Set<DescriptorFlag>(writable ? ['read', 'mutate-directory'] : ['read']);
        // A grant for one file opens the directory it is in; the policy still allows that file alone.
        for (const [host, guest] of [
          [hostPath, guestPath],
          [dirname(hostPath), dirname(guestPath)],
        ] as const) {
          if (opened.has(guest)) break;
          const place = openOrNull(host);
          if (place === null) continue;
          roots.push(place);
          const own = directory({ place, hostPath: host }, place.look('.').enter(), flags);
          opened.set(guest, [handles.add(own), guest, [...flags]]);
          break;
        }
      }
      return [...opened.values()];
    },
    close() {
      for (const place of roots.splice(0)) place.close();
    },
  };
}

function openOrNull(path: string): Place | null {
  try {
    return openRoot(path);
  } catch {
    return null;
  }
}

const done = (_: unknown): null => null;
