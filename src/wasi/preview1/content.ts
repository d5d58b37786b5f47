// Preview 1: reading, writing and positions of open files and the standard streams.

import { suspending } from '../../engine/engine.ts';
import type { Value } from '../../wit/value.ts';
import type { Call } from '../call.ts';
import { CHUNK } from '../io/input-stream.ts';
import { E, Errno, numbered } from './errno.ts';
import { capacity, type GuestMemory, u32 } from './memory.ts';
import type { Functions } from './preview1.ts';
import { FD_READ, FD_WRITE } from './rights.ts';
import type { OpenFile, Table } from './table.ts';

export interface StandardStreams {
  /** The next bytes of standard input, none at its end. */
  read(most: number): Uint8Array;
  print(op: 'log.stdout' | 'log.stderr', bytes: Uint8Array): void;
}

export function contentFunctions(
  call: Call,
  memory: GuestMemory,
  table: Table,
  streams: StandardStreams,
): Functions {
  const { port } = call;
  const answer = (result: Value, count: number): void =>
    memory.view().setUint32(u32(result as number), count, true);

  const read = (fd: Value, at: Value, count: Value, offset: bigint | null, result: Value) =>
    numbered(() => {
      const vectors = memory.vectors(at as number, count as number);
      const most = capacity(vectors, CHUNK);
      const entry = table.get(u32(fd as number));
      const finish = (bytes: Uint8Array): void => {
        memory.scatter(vectors, bytes);
        answer(result, bytes.byteLength);
      };
      if (entry.kind === 'stdin') {
        if (offset !== null) throw new Errno(E.spipe);
        return finish(streams.read(most));
      }
      const file = withRight(table.file(u32(fd as number)), FD_READ);
      const from = offset ?? file.position;
      const advance = (bytes: Uint8Array): void => {
        if (offset === null) file.position = from + BigInt(bytes.byteLength);
        finish(bytes);
      };
      const bytes = most === 0 ? new Uint8Array(0) : file.content.read(from, most);
      return bytes instanceof Promise ? bytes.then(advance) : advance(bytes);
    });

  const write = (fd: Value, at: Value, count: Value, offset: bigint | null, result: Value) =>
    numbered(() => {
      const bytes = memory.gather(memory.vectors(at as number, count as number), CHUNK);
      const entry = table.get(u32(fd as number));
      if (entry.kind === 'stdout' || entry.kind === 'stderr') {
        if (offset !== null) throw new Errno(E.spipe);
        streams.print(`log.${entry.kind}`, bytes);
        return answer(result, bytes.byteLength);
      }
      return writeFile(withRight(table.file(u32(fd as number)), FD_WRITE), bytes, offset).then((written) =>
        answer(result, written),
      );
    });

  async function writeFile(file: OpenFile, bytes: Uint8Array, offset: bigint | null): Promise<number> {
    if (offset === null && (file.statusFlags & 1) !== 0) {
      const [written, end] = (await port.request('fs.append', [file.id, bytes])) as [number, bigint];
      file.position = end;
      return written;
    }
    const from = offset ?? file.position;
    const written = (await port.request('fs.write', [file.id, from, bytes])) as number;
    if (offset === null) file.position = from + BigInt(written);
    return written;
  }

  async function seek(file: OpenFile, offset: bigint, whence: number): Promise<bigint> {
    if (whence > 2) throw new Errno(E.inval);
    const base =
      whence === 0
        ? 0n
        : whence === 1
          ? file.position
          : ((await port.request('fs.stat', [file.id])) as [string, bigint, bigint])[2];
    if (base + offset < 0n) throw new Errno(E.inval);
    file.position = base + offset;
    return file.position;
  }

  const position = (offset: Value): bigint => {
    const signed = offset as bigint;
    if (signed < 0n) throw new Errno(E.inval);
    return signed;
  };

  return {
    fd_read: suspending((fd, at, count, result) => table.ready(() => read(fd, at, count, null, result))),
    fd_pread: suspending((fd, at, count, offset, result) =>
      table.ready(() => numberedOffset(offset, position, (from) => read(fd, at, count, from, result))),
    ),
    fd_write: suspending((fd, at, count, result) => write(fd, at, count, null, result)),
    fd_pwrite: suspending((fd, at, count, offset, result) =>
      numberedOffset(offset, position, (from) => write(fd, at, count, from, result)),
    ),
    fd_seek: suspending((fd, offset, whence, result) =>
      numbered(async () => {
        const entry = table.get(u32(fd as number));
        if (entry.kind !== 'file') throw new Errno(entry.kind === 'directory' ? E.badf : E.spipe);
        const at = await seek(entry, offset as bigint, whence as number);
        memory.view().setBigUint64(u32(result as number), at, true);
      }),
    ),
    fd_tell: (fd, result) =>
      numbered(() => {
        const entry = table.get(u32(fd as number));
        if (entry.kind !== 'file') throw new Errno(entry.kind === 'directory' ? E.badf : E.spipe);
        memory.view().setBigUint64(u32(result as number), entry.position, true);
      }),
  };
}

function withRight(file: OpenFile, right: bigint): OpenFile {
  if ((file.rights & right) === 0n) throw new Errno(E.badf);
  return file;
}

function numberedOffset(
  offset: Value,
  read: (offset: Value) => bigint,
  run: (offset: bigint) => number | Promise<number>,
): number | Promise<number> {
  try {
    return run(read(offset));
  } catch (error) {
    if (error instanceof Errno) return error.number;
    throw error;
  }
}
