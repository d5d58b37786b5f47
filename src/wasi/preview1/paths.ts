// Preview 1: operations on paths below an open directory. The broker resolves and decides; here flags and rights of
// preview 1 become those of the newer interface.

import type { WireValue } from '../../core/port.ts';
import { suspending } from '../../engine/engine.ts';
import type { Value } from '../../wit/value.ts';
import type { Call } from '../call.ts';
import { createFileContent } from '../file-content.ts';
import type { Opened } from '../filesystem/descriptor.ts';
import { newTimes, writeFilestat } from './descriptors.ts';
import { numbered } from './errno.ts';
import { type GuestMemory, u32 } from './memory.ts';
import type { Functions } from './preview1.ts';
import { directoryRights, fileRights } from './rights.ts';
import type { Entry, Table } from './table.ts';

const RIGHT_READ = 1n << 1n;
/** Writing, allocating, changing the size. */
const RIGHTS_WRITE = (1n << 6n) | (1n << 8n) | (1n << 22n);
const OPEN_FLAGS = ['create', 'directory', 'exclusive', 'truncate'] as const;

const follow = (flags: Value): readonly string[] => (((flags as number) & 1) !== 0 ? ['symlink-follow'] : []);

export function pathFunctions(call: Call, memory: GuestMemory, table: Table): Functions {
  const { port } = call;
  const dir = (fd: Value): number => table.directory(u32(fd as number)).id;
  const path = (at: Value, length: Value): string => memory.path(at as number, length as number);
  /** Arguments are read before the first wait: the guest's memory may change afterwards. */
  const asking = (op: string, args: (...given: Value[]) => readonly WireValue[]) =>
    suspending((...given) => table.ready(() => numbered(() => port.request(op, args(...given)))));

  return {
    path_create_directory: asking('fs.create-directory-at', (fd, at, size) => [dir(fd), path(at, size)]),
    path_remove_directory: asking('fs.remove-directory-at', (fd, at, size) => [dir(fd), path(at, size)]),
    path_unlink_file: asking('fs.unlink-file-at', (fd, at, size) => [dir(fd), path(at, size)]),
    path_symlink: asking('fs.symlink-at', (aim, aimSize, fd, at, size) => [
      dir(fd),
      path(aim, aimSize),
      path(at, size),
    ]),
    path_rename: asking('fs.rename-at', (fd, at, size, toFd, toAt, toSize) => [
      dir(fd),
      path(at, size),
      dir(toFd),
      path(toAt, toSize),
    ]),
    path_link: asking('fs.link-at', (fd, flags, at, size, toFd, toAt, toSize) => [
      dir(fd),
      follow(flags),
      path(at, size),
      dir(toFd),
      path(toAt, toSize),
    ]),
    path_filestat_set_times: asking('fs.set-times-at', (fd, flags, at, size, accessed, modified, which) => [
      dir(fd),
      follow(flags),
      path(at, size),
      ...newTimes(accessed, modified, which),
    ]),
    path_filestat_get: suspending((fd, flags, at, size, result) =>
      table.ready(() =>
        numbered(() =>
          port
            .request('fs.stat-at', [dir(fd), follow(flags), path(at, size)])
            .then((row) => writeFilestat(memory, result, row)),
        ),
      ),
    ),
    path_readlink: suspending((fd, at, size, buffer, length, used) =>
      table.ready(() =>
        numbered(async () => {
          const aim = Buffer.from(
            (await port.request('fs.readlink-at', [dir(fd), path(at, size)])) as string,
          );
          const part = aim.subarray(0, u32(length as number));
          memory.window(buffer as number, part.byteLength).set(part);
          memory.view().setUint32(u32(used as number), part.byteLength, true);
        }),
      ),
    ),
    path_open: suspending((...args) => table.ready(() => numbered(() => open(args)))),
  };

  async function open([
    fd,
    dirFlags,
    at,
    size,
    openFlags,
    rights,
    ,
    fdFlags,
    result,
  ]: Value[]): Promise<void> {
    const asked = BigInt.asUintN(64, rights as bigint);
    const flags: string[] = [];
    const writes = (asked & RIGHTS_WRITE) !== 0n;
    if ((asked & RIGHT_READ) !== 0n || !writes) flags.push('read');
    if (writes) flags.push('write');
    if (((fdFlags as number) & 0b10000) !== 0) flags.push('file-integrity-sync');
    else if (((fdFlags as number) & 0b01010) !== 0) flags.push('data-integrity-sync');
    const opened = await port.request('fs.open-at', [
      dir(fd),
      follow(dirFlags),
      path(at, size),
      OPEN_FLAGS.filter((_, bit) => ((openFlags as number) & (1 << bit)) !== 0),
      flags,
    ]);
    const [id, type, given, first] = opened as unknown as Opened;
    const entry: Entry =
      type === 'directory'
        ? {
            kind: 'directory',
            id,
            flags: given,
            rights: directoryRights(given),
            preopen: null,
            listing: null,
          }
        : {
            kind: 'file',
            id,
            flags: given,
            rights: fileRights(given),
            position: 0n,
            statusFlags: (fdFlags as number) & 0b11111,
            content: createFileContent(call, id, given, first),
          };
    memory.view().setUint32(u32(result as number), table.add(entry), true);
  }
}
