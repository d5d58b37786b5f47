// Bytes in and out of an opened file. Lengths are clamped before anything is allocated, positions before they reach the
// system. A chunk is at most 64 KiB and served from the page cache as a rule, so it is moved in place: a trip through
// the thread pool would cost forty times as much. What may take long (sync) goes through the pool.

import {
  constants,
  fdatasync,
  fstatSync,
  fsync,
  ftruncateSync,
  openSync,
  readSync,
  writeSync,
} from 'node:fs';
import { promisify } from 'node:util';
import { HostFailure } from '../../core/port.ts';
import type { Descriptor, FileDescriptor } from './descriptor.ts';
import { fileFailure, system } from './errno.ts';

const syncFile = promisify(fsync);
const syncFileData = promisify(fdatasync);

/** Larger files are refused: a guest may not fill a disk by one sparse write. */
const MOST_SIZE = 1n << 36n;

const SMALL = 1 << 14;
const LITTLE = 1 << 12;

export function readFile(descriptor: Descriptor, offset: bigint, length: number): Uint8Array {
  const { fd } = asFile(descriptor, 'read');
  if (offset > BigInt(Number.MAX_SAFE_INTEGER)) return new Uint8Array(0);
  const size = system(() => fstatSync(fd, { bigint: true })).size;
  // A small file does not need a large buffer; a growing one is simply read again.
  // Beyond the end there may still be something: files of /proc and /sys say they are empty.
  const wanted = Math.min(length, size > offset ? Number(size - offset) : LITTLE);
  if (wanted === 0) return new Uint8Array(0);
  const buffer = Buffer.allocUnsafeSlow(wanted);
  const count = system(() => readSync(fd, buffer, 0, wanted, Number(offset)));
  return buffer.subarray(0, count);
}

/** A small file that cannot be changed by its descriptor goes along with it, which saves asking for it. */
export function wholeContent(descriptor: Descriptor): Uint8Array | null {
  if (descriptor.type === 'directory' || !descriptor.flags.has('read') || descriptor.flags.has('write'))
    return null;
  if (system(() => fstatSync(descriptor.fd)).size > SMALL) return null;
  const bytes = readFile(descriptor, 0n, SMALL + 1);
  return bytes.byteLength > SMALL ? null : bytes;
}

export function writeFile(descriptor: Descriptor, offset: bigint, bytes: Uint8Array): number {
  const { fd } = asFile(descriptor, 'write');
  if (offset + BigInt(bytes.byteLength) > MOST_SIZE) throw new HostFailure('file-too-large');
  return system(() => writeSync(fd, bytes, 0, bytes.byteLength, Number(offset)));
}

/** [bytes written, where the file ends now] */
export function appendFile(descriptor: Descriptor, bytes: Uint8Array): readonly [number, bigint] {
  const file = asFile(descriptor, 'write');
  const size = system(() => fstatSync(file.fd, { bigint: true })).size;
  if (size + BigInt(bytes.byteLength) > MOST_SIZE) throw new HostFailure('file-too-large');
  if (process.platform !== 'linux') {
    const written = system(() => writeSync(file.fd, bytes, 0, bytes.byteLength, Number(size)));
    return [written, size + BigInt(written)];
  }
  file.appendFd ??= system(() =>
    openSync(`/proc/self/fd/${file.fd}`, constants.O_WRONLY | constants.O_APPEND | constants.O_NONBLOCK),
  );
  const fd = file.appendFd;
  const written = system(() => writeSync(fd, bytes, 0, bytes.byteLength));
  return [written, system(() => fstatSync(fd, { bigint: true })).size];
}

export function setSize(descriptor: Descriptor, size: bigint): void {
  const { fd } = asFile(descriptor, 'write');
  if (size > MOST_SIZE) throw new HostFailure('file-too-large');
  system(() => ftruncateSync(fd, Number(size)));
}

export async function sync(descriptor: Descriptor, dataOnly: boolean): Promise<void> {
  // A directory is held without being open for reading; there is nothing of ours to flush.
  if (descriptor.type === 'directory') return;
  try {
    await (dataOnly ? syncFileData : syncFile)(descriptor.fd);
  } catch (error) {
    throw fileFailure(error);
  }
}

function asFile(descriptor: Descriptor, right: 'read' | 'write'): FileDescriptor {
  if (descriptor.type === 'directory') throw new HostFailure('is-directory');
  if (!descriptor.flags.has(right)) throw new HostFailure('bad-descriptor');
  return descriptor;
}
