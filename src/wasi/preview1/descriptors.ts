// Preview 1: what a descriptor is and may, its status, and closing and renumbering it.

import type { WireValue } from '../../core/port.ts';
import { suspending } from '../../engine/engine.ts';
import type { Value } from '../../wit/value.ts';
import type { Call } from '../call.ts';
import { E, Errno, numbered } from './errno.ts';
import { type GuestMemory, u32 } from './memory.ts';
import type { Functions } from './preview1.ts';
import { FILE_RIGHTS, narrowRights } from './rights.ts';
import type { Entry, Table } from './table.ts';

export const FILE_TYPES: Readonly<Record<string, number>> = {
  unknown: 0,
  'block-device': 1,
  'character-device': 2,
  directory: 3,
  'regular-file': 4,
  socket: 6,
  'symbolic-link': 7,
  fifo: 0,
};

/** 64 bytes: device, file, type, links, size, accessed, modified, changed. */
export function writeFilestat(memory: GuestMemory, at: Value, row: WireValue): void {
  const [type, links, size, accessed, modified, changed, identity] = row as unknown as [
    string,
    ...[bigint, bigint, bigint, bigint, bigint, bigint],
  ];
  const view = new DataView(memory.view().buffer, u32(at as number), 64);
  view.setBigUint64(0, 1n, true);
  view.setBigUint64(8, identity, true);
  view.setBigUint64(16, BigInt(FILE_TYPES[type] ?? 0), true);
  for (const [i, value] of [links, size, accessed, modified, changed].entries()) {
    view.setBigUint64(24 + 8 * i, value < 0n ? 0n : value, true);
  }
}

/** `fstflags`: which times to set, and whether to now. */
export function newTimes(accessed: Value, modified: Value, flags: Value): [WireValue, WireValue] {
  const pick = (time: Value, set: number, now: number): WireValue => {
    const chosen = (flags as number) & (set | now);
    if (chosen === (set | now)) throw new Errno(E.inval);
    return chosen === 0 ? 'no-change' : chosen === now ? 'now' : BigInt.asUintN(64, time as bigint);
  };
  return [pick(accessed, 1, 2), pick(modified, 4, 8)];
}

export function descriptorFunctions(call: Call, memory: GuestMemory, table: Table): Functions {
  const { port } = call;
  const entry = (fd: Value): Entry => table.get(u32(fd as number));
  const handle = (fd: Value): number => {
    const found = entry(fd);
    if (found.kind !== 'file' && found.kind !== 'directory') throw new Errno(E.badf);
    return found.id;
  };
  const asking = (work: (fd: Value, ...args: Value[]) => Promise<unknown>) =>
    suspending((fd, ...args) => table.ready(() => numbered(() => work(fd, ...args))));

  return {
    fd_close: suspending((fd) => table.ready(() => numbered(() => table.close(u32(fd as number))))),
    fd_renumber: suspending((from, to) =>
      table.ready(() => numbered(() => table.renumber(u32(from as number), u32(to as number)))),
    ),
    fd_prestat_get: asking(async (fd, at) => {
      const view = new DataView(memory.view().buffer, u32(at as number), 8);
      const name = preopenName(entry(fd));
      view.setUint8(0, 0);
      view.setUint32(4, Buffer.byteLength(name), true);
    }),
    fd_prestat_dir_name: asking(async (fd, at, length) => {
      const name = Buffer.from(preopenName(entry(fd)));
      if (u32(length as number) < name.byteLength) throw new Errno(E.nametoolong);
      memory.window(at as number, name.byteLength).set(name);
    }),
    fd_fdstat_get: asking(async (fd, at) => {
      const found = entry(fd);
      const view = new DataView(memory.view().buffer, u32(at as number), 24);
      view.setUint8(0, found.kind === 'file' ? 4 : found.kind === 'directory' ? 3 : 0);
      view.setUint16(2, found.kind === 'file' ? found.statusFlags : 0, true);
      view.setBigUint64(8, found.rights, true);
      view.setBigUint64(16, found.kind === 'directory' ? found.rights | FILE_RIGHTS : 0n, true);
    }),
    fd_fdstat_set_flags: asking(async (fd, flags) => {
      const found = entry(fd);
      // Appending and not blocking can be changed later; what cannot be had is refused, not ignored.
      const kept = found.kind === 'file' ? found.statusFlags : 0;
      if (((flags as number) & ~0b101 & ~kept) !== 0) throw new Errno(E.notsup);
      if (found.kind === 'file')
        found.statusFlags = (found.statusFlags & ~0b101) | ((flags as number) & 0b101);
    }),
    fd_fdstat_set_rights: asking(async (fd, base) => {
      const found = entry(fd);
      found.rights = narrowRights(found.rights, BigInt.asUintN(64, base as bigint));
    }),
    fd_filestat_get: asking(async (fd, at) => {
      const found = entry(fd);
      const standard = found.kind !== 'file' && found.kind !== 'directory';
      const row = standard ? ['unknown', 1n, 0n, 0n, 0n, 0n, 0n] : await port.request('fs.stat', [found.id]);
      writeFilestat(memory, at, row);
    }),
    fd_filestat_set_size: asking((fd, size) =>
      port.request('fs.set-size', [table.file(u32(fd as number)).id, BigInt.asUintN(64, size as bigint)]),
    ),
    fd_filestat_set_times: asking(async (fd, accessed, modified, flags) =>
      port.request('fs.set-times', [handle(fd), ...newTimes(accessed, modified, flags)]),
    ),
    fd_sync: asking(async (fd) => port.request('fs.sync', [handle(fd)])),
    fd_datasync: asking(async (fd) => port.request('fs.sync-data', [handle(fd)])),
    fd_advise: asking(async (fd, _offset, _length, advice) => {
      table.file(u32(fd as number));
      if ((advice as number) > 5) throw new Errno(E.inval);
    }),
    fd_allocate: asking(async (fd) => {
      table.file(u32(fd as number));
      throw new Errno(E.notsup);
    }),
  };
}

function preopenName(entry: Entry): string {
  if (entry.kind !== 'directory' || entry.preopen === null) throw new Errno(E.badf);
  return entry.preopen;
}
