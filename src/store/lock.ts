// A lock between processes: a file that appears whole or not at all (hard link), naming its holder. The lock of a process
// that is gone is removed by exactly one of those who wait: to remove it, one must hold the lock on that very removal,
// which is named after the dead lock's token, so that a lock taken in the meantime can never be hit.

import { randomBytes } from 'node:crypto';
import { link, readFile, stat, unlink, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { WitboxError } from '../core/errors.ts';
import { currentProcess, type ProcessIdentity, processState } from './process-identity.ts';

interface LockFile extends ProcessIdentity {
  readonly token: string;
}

/** How long a lock is respected whose holder cannot be looked at. No operation under a lock takes that long. */
const UNKNOWN_HOLDER_MS = 60_000;
const WAIT_MS = 15_000;

/** Runs the action while holding the lock. Throws `store-locked` if a running process does not let go of it. */
export async function withLock<T>(path: string, action: () => Promise<T>, waitMs = WAIT_MS): Promise<T> {
  const release = await acquire(path, waitMs);
  try {
    return await action();
  } finally {
    await release();
  }
}

async function acquire(path: string, waitMs: number): Promise<() => Promise<void>> {
  const self = currentProcess();
  const deadline = performance.now() + waitMs;
  for (let pause = 1; ; pause = Math.min(pause * 2, 50)) {
    const release = await tryAcquire(path, self);
    if (release) return release;
    if (performance.now() > deadline) {
      throw new WitboxError('store-locked', { pid: (await readLock(path))?.pid ?? 0 });
    }
    await sleep(pause * (0.5 + Math.random()));
  }
}

async function tryAcquire(path: string, self: ProcessIdentity): Promise<(() => Promise<void>) | undefined> {
  const token = randomBytes(8).toString('hex');
  const prepared = `${path}.${token}.new`;
  try {
    await writeFile(prepared, JSON.stringify({ ...self, token } satisfies LockFile), {
      flag: 'wx',
      mode: 0o600,
    });
    await link(prepared, path);
    return async () => {
      if ((await readLock(path))?.token === token) await unlink(path);
    };
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  } finally {
    // Also after a write that failed: a full disk must not fill up with empty files.
    await unlink(prepared).catch(() => {});
  }
  const holder = await readLock(path);
  if (holder && (await isStale(path, holder, self))) await removeStale(path, holder.token, self);
  return undefined;
}

async function removeStale(path: string, token: string, self: ProcessIdentity): Promise<void> {
  const release = await tryAcquire(`${path}.${token}`, self);
  if (!release) return;
  // While the dead lock is there, only the holder of its removal may take it away: this look cannot be outdated.
  if ((await readLock(path))?.token === token) await unlink(path);
  await release();
}

async function isStale(path: string, holder: LockFile, self: ProcessIdentity): Promise<boolean> {
  const state = processState(holder, self);
  if (state !== 'unknown') return state === 'gone';
  const info = await stat(path).catch(() => undefined);
  return info !== undefined && Date.now() - info.mtimeMs > UNKNOWN_HOLDER_MS;
}

async function readLock(path: string): Promise<LockFile | undefined> {
  try {
    const lock = JSON.parse(await readFile(path, 'utf8')) as LockFile;
    return typeof lock.token === 'string' && /^[0-9a-f]{16}$/.test(lock.token) && Number.isInteger(lock.pid)
      ? lock
      : undefined;
  } catch {
    // Released in the meantime.
    return undefined;
  }
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}
