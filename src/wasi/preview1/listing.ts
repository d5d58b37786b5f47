// Preview 1: fd_readdir. A cookie is a position in the listing; a listing is taken anew when the guest starts over.

import { suspending } from '../../engine/engine.ts';
import type { Value } from '../../wit/value.ts';
import type { Call } from '../call.ts';
import { FILE_TYPES } from './descriptors.ts';
import { E, Errno, numbered } from './errno.ts';
import { type GuestMemory, u32 } from './memory.ts';
import type { Functions } from './preview1.ts';
import type { DirectoryEntry, OpenDirectory, Table } from './table.ts';

const HEAD = 24;
const MOST_ENTRIES = 100_000;

export function listingFunctions(call: Call, memory: GuestMemory, table: Table): Functions {
  const { port } = call;

  const identityOf = async (dir: OpenDirectory): Promise<bigint> =>
    ((await port.request('fs.metadata-hash', [dir.id])) as [bigint])[0];

  /** The listing with at least `count` entries, or all there are. */
  async function listed(
    dir: OpenDirectory,
    count: number,
    anew: boolean,
  ): Promise<readonly DirectoryEntry[]> {
    if (anew && dir.listing !== null) {
      call.drop(dir.listing.id);
      dir.listing = null;
    }
    dir.listing ??= {
      id: (await port.request('fs.list', [dir.id])) as number,
      entries: [
        ['directory', '.', await identityOf(dir)],
        ['directory', '..', 1n],
      ],
      complete: false,
    };
    const { listing } = dir;
    while (!listing.complete && listing.entries.length < count) {
      const page = (await port.request('fs.list-next', [listing.id, true])) as unknown as DirectoryEntry[];
      listing.entries.push(...page);
      listing.complete = page.length === 0;
      if (listing.entries.length > MOST_ENTRIES) throw new Errno(E.overflow);
    }
    return listing.entries;
  }

  async function readdir(fd: Value, buffer: Value, length: Value, cookie: Value, used: Value): Promise<void> {
    const dir = table.directory(u32(fd as number));
    const size = u32(length as number);
    const start = BigInt.asUintN(64, cookie as bigint);
    if (start > BigInt(MOST_ENTRIES)) throw new Errno(E.inval);
    let filled = 0;
    for (let at = Number(start); filled < size; at++) {
      const entry = (await listed(dir, at + 1, start === 0n && at === 0))[at];
      if (entry === undefined) break;
      const row = dirent(entry, at + 1).subarray(0, size - filled);
      memory.window(u32(buffer as number) + filled, row.byteLength).set(row);
      filled += row.byteLength;
    }
    memory.view().setUint32(u32(used as number), filled, true);
  }

  return {
    fd_readdir: suspending((fd, buffer, length, cookie, used) =>
      table.ready(() => numbered(() => readdir(fd, buffer, length, cookie, used))),
    ),
  };
}

function dirent([type, name, identity]: DirectoryEntry, next: number): Uint8Array {
  const text = Buffer.from(name);
  const row = Buffer.alloc(HEAD + text.byteLength);
  row.writeBigUInt64LE(BigInt(next), 0);
  row.writeBigUInt64LE(identity, 8);
  row.writeUInt32LE(text.byteLength, 16);
  row.writeUInt8(FILE_TYPES[type] ?? 0, 20);
  text.copy(row, HEAD);
  return row;
}
