// The fallback of place.ts for systems without /proc: a directory is a path plus the identities of itself and of every
// directory above it up to the root, checked before each use, and a file is checked again after it was opened. Weaker
// than the descriptor walk only against another program of the same user that swaps directories at the same moment.

import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  realpathSync,
} from 'node:fs';
import { join } from 'node:path';
import { HostFailure } from '../../core/port.ts';
import { system } from './errno.ts';
import type { Entry, Place } from './place.ts';

const NOFOLLOW = constants.O_NOFOLLOW ?? 0;
const NONBLOCK = constants.O_NONBLOCK ?? 0;

export function openPortable(path: string): Place {
  const real = system(() => realpathSync.native(path));
  return portablePlace(real, identity(real), () => {});
}

function identity(path: string): BigIntStats {
  const stat = system(() => lstatSync(path, { bigint: true }));
  if (!stat.isDirectory()) throw new HostFailure('not-directory');
  return stat;
}

const same = (a: BigIntStats, b: BigIntStats): boolean => a.dev === b.dev && a.ino === b.ino;

function portablePlace(path: string, known: BigIntStats, checkParents: () => void): Place {
  const check = (): void => {
    checkParents();
    if (!same(identity(path), known)) throw new HostFailure('no-entry');
  };
  const checked = <T>(value: () => T): T => {
    check();
    return value();
  };
  return {
    child: (name) => checked(() => join(path, name)),
    self: () => checked(() => path),
    where: () => checked(() => path),
    stat: () => checked(() => identity(path)),
    look: (name) => checked(() => portableEntry(join(path, name), check)),
    close() {},
  };
}

function portableEntry(path: string, check: () => void): Entry {
  const stat = system(() => lstatSync(path, { bigint: true }));
  return {
    stat,
    open(flags) {
      check();
      const fd = system(() => openSync(path, flags | NOFOLLOW | NONBLOCK));
      try {
        check();
        if (
          !same(
            system(() => fstatSync(fd, { bigint: true })),
            stat,
          )
        )
          throw new HostFailure('no-entry');
        return fd;
      } catch (error) {
        closeSync(fd);
        throw error;
      }
    },
    enter: () => portablePlace(path, stat, check),
    close() {},
  };
}
