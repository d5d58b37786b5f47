// File descriptors of preview 1: small numbers for the standard streams, the granted directories from 3 on, and what
// the guest opens. Positions live here; the broker knows offsets only.

import type { Beginning, Call } from '../call.ts';
import type { FileContent } from '../file-content.ts';
import { E, Errno } from './errno.ts';
import { directoryRights, streamRights } from './rights.ts';

interface Stdio {
  readonly kind: 'stdin' | 'stdout' | 'stderr';
  rights: bigint;
}

export interface OpenFile {
  readonly kind: 'file';
  readonly id: number;
  readonly flags: readonly string[];
  rights: bigint;
  position: bigint;
  /** `fdflags` as preview 1 numbers them; 1 is append. */
  statusFlags: number;
  readonly content: FileContent;
}

export interface OpenDirectory {
  readonly kind: 'directory';
  /** Another one in each call for a granted directory. */
  id: number;
  readonly flags: readonly string[];
  rights: bigint;
  /** The name of a granted directory; null for one the guest opened. */
  readonly preopen: string | null;
  listing: { readonly id: number; entries: DirectoryEntry[]; complete: boolean } | null;
}

/** [type, name, identity] */
export type DirectoryEntry = readonly [string, string, bigint];

export type Entry = Stdio | OpenFile | OpenDirectory;

const MOST = 1024;

export interface Table {
  /** Runs `work` once the granted directories are in the table, which is at once but for the first time. */
  ready<T>(work: () => T | Promise<T>): T | Promise<T>;
  get(fd: number): Entry;
  file(fd: number): OpenFile;
  directory(fd: number): OpenDirectory;
  add(entry: Entry): number;
  close(fd: number): void;
  renumber(from: number, to: number): void;
}

export function createTable(call: Call): Table {
  const open = new Map<number, Entry>([
    [0, { kind: 'stdin', rights: streamRights('stdin') }],
    [1, { kind: 'stdout', rights: streamRights('stdout') }],
    [2, { kind: 'stderr', rights: streamRights('stderr') }],
  ]);
  let filled: Promise<void> | null = null;
  let known: Beginning | null = null;

  const fill = async (): Promise<void> => {
    const first = known === null;
    known = await call.begin();
    filled = null;
    if (first) {
      for (const [at, [id, path, flags]] of known.preopens.entries()) {
        open.set(3 + at, {
          kind: 'directory',
          id,
          flags,
          rights: directoryRights(flags),
          preopen: path,
          listing: null,
        });
      }
    }
    for (const entry of open.values()) {
      if (entry.kind !== 'directory' || entry.preopen === null) continue;
      entry.id = known.preopens.find(([, path]) => path === entry.preopen)?.[0] ?? 0;
      entry.listing = null;
    }
  };
  const get = (fd: number): Entry => open.get(fd) ?? bad(E.badf);

  return {
    ready(work) {
      if (known !== null && known === call.begin()) return work();
      filled ??= fill();
      return filled.then(work);
    },
    get,
    file(fd) {
      const entry = get(fd);
      if (entry.kind === 'directory') return bad(E.isdir);
      return entry.kind === 'file' ? entry : bad(E.badf);
    },
    directory(fd) {
      const entry = get(fd);
      return entry.kind === 'directory' ? entry : bad(E.notdir);
    },
    add(entry) {
      let fd = 0;
      while (open.has(fd)) fd++;
      if (fd >= MOST) return bad(E.mfile);
      open.set(fd, entry);
      return fd;
    },
    close(fd) {
      const entry = get(fd);
      open.delete(fd);
      release(call, entry);
    },
    renumber(from, to) {
      const entry = get(from);
      const replaced = get(to);
      if (from === to) return;
      open.delete(from);
      open.set(to, entry);
      release(call, replaced);
    },
  };
}

function release(call: Call, entry: Entry): void {
  if (entry.kind === 'directory' && entry.listing !== null) call.drop(entry.listing.id);
  if (entry.kind === 'file' || entry.kind === 'directory') call.drop(entry.id);
}

function bad(number: number): never {
  throw new Errno(number);
}
