// One bucket: a directory with a file for each key. The file's name is the hash of the key, so no key is ever a path;
// the key itself stands at the start of the file. Writing goes to a new file and renames it, so a reader sees the old
// value or the new one.

import { createHash, randomBytes } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { HostFailure } from '../../core/port.ts';
import type { Holding } from '../handles.ts';
import type { HostLimits } from '../limits.ts';

const NAME = /^[0-9a-f]{64}$/;
const PAGE = 128;

export interface Bucket extends Holding {
  readonly kind: 'bucket';
  get(key: string): Promise<Uint8Array | null>;
  set(key: string, value: Uint8Array): Promise<void>;
  delete(key: string): Promise<void>;
  exists(key: string): Promise<boolean>;
  /** Keys from the position `cursor` on, and the next position if there are more. */
  keys(cursor: number): Promise<{ keys: string[]; next: number | null }>;
  increment(key: string, delta: bigint): Promise<bigint>;
}

export async function openBucket(directory: string, limits: HostLimits): Promise<Bucket> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  // Changes of one bucket happen one after the other: `increment` reads and writes.
  let tail: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const turn = tail.then(work, work);
    tail = turn.catch(() => {});
    return turn;
  };
  const fileOf = (key: string): string => {
    if (Buffer.byteLength(key) > limits.keyBytes) throw new HostFailure('other', 'Key is too long');
    return join(directory, createHash('sha256').update(key).digest('hex'));
  };
  const names = async (): Promise<string[]> =>
    (await readdir(directory)).filter((name) => NAME.test(name)).sort();

  async function get(key: string): Promise<Uint8Array | null> {
    try {
      const content = await readFile(fileOf(key));
      return content.subarray(4 + content.readUInt32LE(0));
    } catch (error) {
      if ((error as { code?: string }).code === 'ENOENT') return null;
      throw error;
    }
  }

  async function put(key: string, value: Uint8Array): Promise<void> {
    if (value.byteLength > limits.valueBytes) throw new HostFailure('other', 'Value is too large');
    const file = fileOf(key);
    await checkRoom(directory, await names(), file, value.byteLength, limits);
    const name = Buffer.from(key);
    const head = Buffer.alloc(4);
    head.writeUInt32LE(name.byteLength);
    const draft = `${file}.${randomBytes(6).toString('hex')}`;
    try {
      await writeFile(draft, Buffer.concat([head, name, value]), { flag: 'wx', mode: 0o600 });
      await rename(draft, file);
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
  }

  return {
    kind: 'bucket',
    get,
    set: (key, value) => inTurn(() => put(key, value)),
    delete: (key) => inTurn(() => rm(fileOf(key), { force: true })),
    exists: async (key) => (await get(key)) !== null,
    async keys(cursor) {
      const all = await names();
      const keys = await Promise.all(
        all.slice(cursor, cursor + PAGE).map((name) => readKey(join(directory, name))),
      );
      const end = cursor + PAGE;
      return { keys: keys.filter((key) => key !== null), next: end < all.length ? end : null };
    },
    increment: (key, delta) =>
      inTurn(async () => {
        const old = Buffer.from((await get(key)) ?? '0').toString('latin1');
        if (!/^[0-9]{1,20}$/.test(old)) throw new HostFailure('other', 'Value is not a number');
        const sum = BigInt.asUintN(64, BigInt(old) + delta);
        await put(key, Buffer.from(String(sum)));
        return sum;
      }),
    close() {},
  };
}

async function readKey(file: string): Promise<string | null> {
  try {
    await using handle = await open(file);
    const head = Buffer.alloc(4);
    await handle.read(head, 0, 4, 0);
    const key = Buffer.alloc(Math.min(head.readUInt32LE(0), 1 << 16));
    await handle.read(key, 0, key.byteLength, 4);
    return key.toString();
  } catch {
    // Removed since the directory was read.
    return null;
  }
}

async function checkRoom(
  directory: string,
  names: readonly string[],
  file: string,
  size: number,
  limits: HostLimits,
): Promise<void> {
  const others = names.map((name) => join(directory, name)).filter((path) => path !== file);
  if (others.length >= limits.keysPerBucket) throw new HostFailure('other', 'Bucket has too many keys');
  // Cheap while no bucket can be near its bound.
  if (others.length * limits.valueBytes + size <= limits.bucketBytes) return;
  let sum = size;
  for (const path of others) sum += (await stat(path).catch(() => null))?.size ?? 0;
  if (sum > limits.bucketBytes) throw new HostFailure('other', 'Bucket is full');
}
