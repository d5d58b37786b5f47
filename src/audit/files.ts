// The files of an audit log: `audit-NNNNNNNNNNNNNNNN.jsonl`, named by the number of the first line, so that their names
// sort as their lines do; and `head.json`, which says how far the chain had come, so that a cut end is found. The head
// is written after what it tells of has reached the disk: it never promises a line that a power failure could take.

import { randomBytes } from 'node:crypto';
import { open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Link } from './line.ts';

export interface LogFile {
  readonly name: string;
  /** The number of its first line. */
  readonly first: number;
}

const NAME = /^audit-(\d{16})\.jsonl$/;
const HEAD = 'head.json';
const FORMAT = 1;
const LOCK_LITTER = /^lock\..*\.new$/;
const LITTER_MS = 60_000;

export function fileName(first: number): string {
  return `audit-${String(first).padStart(16, '0')}.jsonl`;
}

/** In the order of their lines. A folder that is not there has none. */
export async function listFiles(directory: string): Promise<LogFile[]> {
  const names = await readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  return names
    .flatMap((name) => {
      const first = NAME.exec(name)?.[1];
      return first === undefined ? [] : [{ name, first: Number(first) }];
    })
    .sort((a, b) => a.first - b.first);
}

/** Undefined if there is none, or none that can be read: then nothing is known of the end. */
export async function readHead(directory: string): Promise<Link | undefined> {
  try {
    const { format, sequence, hash } = JSON.parse(await readFile(join(directory, HEAD), 'utf8'));
    const valid = format === FORMAT && Number.isSafeInteger(sequence) && /^[0-9a-f]{64}$/.test(hash);
    return valid ? { sequence, hash } : undefined;
  } catch {
    return undefined;
  }
}

export async function writeHead(directory: string, { sequence, hash }: Link): Promise<void> {
  const temporary = join(directory, `${HEAD}.${randomBytes(6).toString('hex')}`);
  try {
    const file = await open(temporary, 'wx', 0o600);
    try {
      await file.writeFile(`${JSON.stringify({ format: FORMAT, sequence, hash })}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, join(directory, HEAD));
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => {});
    throw error;
  }
}

/** What killed processes left of heads and locks that they were about to write; called under the lock. */
export async function sweep(directory: string): Promise<void> {
  for (const name of await readdir(directory)) {
    const path = join(directory, name);
    if (name.startsWith(`${HEAD}.`) || (LOCK_LITTER.test(name) && (await isOld(path))))
      await rm(path, { force: true });
  }
}

/** A process that waits for the lock may have just written one. */
async function isOld(path: string): Promise<boolean> {
  const info = await stat(path).catch(() => undefined);
  return info !== undefined && Date.now() - info.mtimeMs > LITTER_MS;
}
