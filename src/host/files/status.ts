// What a guest may know about a file, and setting its times. Device and inode numbers of the machine never leave: the
// metadata hash is keyed with a secret of the call.

import { createHmac } from 'node:crypto';
import { type BigIntStats, fstatSync, futimesSync, lutimesSync, utimesSync } from 'node:fs';
import { HostFailure, type WireValue } from '../../core/port.ts';
import type { Descriptor, DirectoryDescriptor } from './descriptor.ts';
import { system } from './errno.ts';
import type { Rights } from './rights.ts';

export function typeOf(stat: {
  isFile(): boolean;
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
  isFIFO(): boolean;
  isSocket(): boolean;
  isBlockDevice(): boolean;
  isCharacterDevice(): boolean;
}): string {
  if (stat.isFile()) return 'regular-file';
  if (stat.isDirectory()) return 'directory';
  if (stat.isSymbolicLink()) return 'symbolic-link';
  if (stat.isFIFO()) return 'fifo';
  if (stat.isSocket()) return 'socket';
  if (stat.isBlockDevice()) return 'block-device';
  return stat.isCharacterDevice() ? 'character-device' : 'unknown';
}

/** [type, links, size, accessed, modified, changed, identity], times in nanoseconds since 1970. */
export function statRow(secret: Uint8Array, stat: BigIntStats): WireValue {
  const [identity] = identityOf(secret, stat);
  return [typeOf(stat), stat.nlink, stat.size, stat.atimeNs, stat.mtimeNs, stat.ctimeNs, identity];
}

export function statOf(descriptor: Descriptor): BigIntStats {
  return descriptor.type === 'directory'
    ? descriptor.place.stat()
    : system(() => fstatSync(descriptor.fd, { bigint: true }));
}

export function statAt(
  rights: Rights,
  base: DirectoryDescriptor,
  path: string,
  follow: boolean,
): BigIntStats {
  const target = rights.resolve(base, path, follow);
  try {
    const real = rights.pathOf(base.root, target.dir, target.name);
    if (target.name === null) {
      rights.requireDirectory(real);
      return target.dir.stat();
    }
    rights.requireKnown(real);
    return statNamed(rights, target.dir.look(target.name), real);
  } finally {
    target.release();
  }
}

function statNamed(rights: Rights, entry: { stat: BigIntStats; close(): void }, path: string): BigIntStats {
  entry.close();
  if (entry.stat.isDirectory()) rights.requireDirectory(path);
  else if (!rights.allows(path, 'write')) rights.require(path, 'read');
  return entry.stat;
}

/** A new time in nanoseconds, or what to do instead. */
export type NewTime = bigint | 'no-change' | 'now';

export function setTimes(descriptor: Descriptor, accessed: NewTime, modified: NewTime): void {
  const stat = statOf(descriptor);
  if (descriptor.type === 'directory') {
    if (!descriptor.flags.has('mutate-directory')) throw new HostFailure('read-only');
    const { place } = descriptor;
    system(() => utimesSync(place.self(), seconds(accessed, stat.atimeNs), seconds(modified, stat.mtimeNs)));
    return;
  }
  if (!descriptor.flags.has('write')) throw new HostFailure('bad-descriptor');
  system(() => futimesSync(descriptor.fd, seconds(accessed, stat.atimeNs), seconds(modified, stat.mtimeNs)));
}

export function setTimesAt(
  rights: Rights,
  base: DirectoryDescriptor,
  path: string,
  follow: boolean,
  accessed: NewTime,
  modified: NewTime,
): void {
  const target = rights.resolve(base, path, follow);
  try {
    const real = rights.pathOf(base.root, target.dir, target.name);
    rights.requireMutable(base, real);
    rights.require(real, 'write');
    const { dir, name } = target;
    const entry = dir.look(name ?? '.');
    entry.close();
    const { atimeNs, mtimeNs } = entry.stat;
    // A link found here is the one meant: links to follow were followed by the walk.
    system(() => lutimesSync(dir.child(name ?? '.'), seconds(accessed, atimeNs), seconds(modified, mtimeNs)));
  } finally {
    target.release();
  }
}

function seconds(time: NewTime, current: bigint): number {
  if (time === 'now') return Date.now() / 1000;
  const nanoseconds = time === 'no-change' ? current : time;
  if (nanoseconds > 1n << 63n) throw new HostFailure('invalid');
  return Number(nanoseconds / 1_000_000_000n) + Number(nanoseconds % 1_000_000_000n) / 1e9;
}

/** Two numbers that are the same for the same file within a call, and mean nothing outside of it. */
export function identityOf(secret: Uint8Array, stat: BigIntStats): readonly [bigint, bigint] {
  const digest = createHmac('sha256', secret).update(`${stat.dev}:${stat.ino}`).digest();
  return [digest.readBigUInt64LE(0), digest.readBigUInt64LE(8)];
}

export const sameObject = (a: BigIntStats, b: BigIntStats): boolean => a.dev === b.dev && a.ino === b.ino;
