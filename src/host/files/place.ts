// An opened directory and what stands in it, named so that no later change of names on the machine can lead a system
// call elsewhere. On Linux a directory is an O_PATH descriptor and a child is `/proc/self/fd/N/name`: the kernel starts
// at the directory itself, whatever it is called by now. Never follows a link: the walker (walk.ts) expands links.
// Where there is no /proc, place-portable.ts does the same with checks before and after.

import { type BigIntStats, closeSync, constants, fstatSync, openSync, readlinkSync, statSync } from 'node:fs';
import { HostFailure } from '../../core/port.ts';
import { system } from './errno.ts';
import { openPortable } from './place-portable.ts';

/** An opened directory. */
export interface Place {
  /** A path for one system call on the child `name`; a link there is not followed as long as the call does not. */
  child(name: string): string;
  /** A path for one system call on the directory itself. */
  self(): string;
  /** Where it is now, absolute, links resolved. */
  where(): string;
  stat(): BigIntStats;
  /** The child as it is, a link as a link. */
  look(name: string): Entry;
  close(): void;
}

/** What `look` found: one object of the file system, held so that it cannot be exchanged. */
export interface Entry {
  readonly stat: BigIntStats;
  /** Opens this very object; only for regular files and directories. */
  open(flags: number): number;
  enter(): Place;
  close(): void;
}

const O_PATH = 0o10000000;
const { O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK, O_NOCTTY } = constants;

/** Opens a directory of the machine as the root of what a guest may reach. */
export function openRoot(path: string): Place {
  if (!hasProc()) return openPortable(path);
  return linuxPlace(system(() => openSync(path, O_PATH | O_DIRECTORY)));
}

function hasProc(): boolean {
  if (process.platform !== 'linux') return false;
  try {
    return statSync('/proc/self/fd').isDirectory();
  } catch {
    return false;
  }
}

function linuxPlace(fd: number): Place {
  const self = `/proc/self/fd/${fd}`;
  return {
    child: (name) => `${self}/${name}`,
    self: () => self,
    where() {
      // A removed directory reads as "name (deleted)", which could also be a name: its link count tells.
      if (fstatSync(fd).nlink === 0) throw new HostFailure('no-entry');
      return system(() => readlinkSync(self));
    },
    stat: () => system(() => fstatSync(fd, { bigint: true })),
    look: (name) => linuxEntry(system(() => openSync(`${self}/${name}`, O_PATH | O_NOFOLLOW))),
    close: () => closeSync(fd),
  };
}

function linuxEntry(fd: number): Entry {
  let owned = true;
  return {
    stat: fstatSync(fd, { bigint: true }),
    open: (flags) => system(() => openSync(`/proc/self/fd/${fd}`, flags | O_NONBLOCK | O_NOCTTY)),
    enter() {
      owned = false;
      return linuxPlace(fd);
    },
    close() {
      if (owned) closeSync(fd);
      owned = false;
    },
  };
}
