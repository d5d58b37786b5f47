// Files that are there whole or not at all, whatever happens to the process or the machine: temporary file, fsync,
// rename, fsync of the directory. And files that are read again only when they have changed.

import { randomBytes } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** `scratch` is a directory on the same file system, emptied by whoever holds the store's lock. */
export async function writeAtomic(scratch: string, path: string, data: string | Uint8Array): Promise<void> {
  const temporary = join(scratch, randomBytes(8).toString('hex'));
  const file = await open(temporary, 'wx', 0o600);
  try {
    await file.writeFile(data);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(temporary, path);
  await syncDirectory(dirname(path));
}

export async function syncDirectory(path: string): Promise<void> {
  // Windows cannot open a directory, and has no need to.
  const directory = await open(path, 'r').catch(() => undefined);
  try {
    await directory?.sync();
  } finally {
    await directory?.close();
  }
}

/** Younger than the clock of a file system may be coarse: two changes could carry the same time. */
const RACY_NS = 50_000_000n;

/**
 * A reader that looks at the file's identity each time (a few microseconds) and parses it only if that has changed, so
 * that a change made by another process counts from the next look on. Without a file it gives `parse(undefined)`.
 */
export function createFreshReader<T>(path: string, parse: (text: string | undefined) => T): () => T {
  let known: { readonly key: string; readonly value: T } | undefined;
  return () => {
    const info = statSync(path, { bigint: true, throwIfNoEntry: false });
    const key = info ? `${info.ino} ${info.size} ${info.mtimeNs} ${info.ctimeNs}` : 'none';
    if (known?.key === key) return known.value;
    known = undefined;
    const value = parse(info ? readText(path) : undefined);
    const settled = !info || BigInt(Date.now()) * 1_000_000n - info.mtimeNs > RACY_NS;
    if (settled) known = { key, value };
    return value;
  };
}

/**
 * Reads once for all who ask in the same turn of the event loop: a server looks at a file for each of the requests that
 * came together. What somebody waited for to be written is always seen, since waiting takes more than a turn.
 */
export function oncePerTurn<T>(read: () => T): () => T {
  let seen: { readonly value: T } | null = null;
  return () => {
    if (seen === null) {
      seen = { value: read() };
      setImmediate(() => {
        seen = null;
      });
    }
    return seen.value;
  };
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
