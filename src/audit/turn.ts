// Whose turn it is to write: processes that share a log take turns under a lock, so that no two of them ever chain to
// the same line. A turn is kept while lines come, since a lock for each write would cost more than the write; whoever
// waits leaves a note, and the holder gives way.

import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Runs the action while holding a lock between processes at this path. */
export type WithLock = (path: string, action: () => Promise<void>) => Promise<void>;

export interface Turn {
  /** Settles when this process may write; false if it could already. */
  take(): Promise<boolean>;
  /** Whether another process waits. */
  wanted(): boolean;
  giveBack(): Promise<void>;
}

const NOTE = 'wanted';
const REMIND_MS = 50;
/** After giving way, so that those who wait can see it: they look at least that often. */
const GIVE_WAY_MS = 80;

export function createTurn(directory: string, withLock: WithLock): Turn {
  const note = join(directory, NOTE);
  let held: { readonly end: () => void; readonly ended: Promise<void> } | null = null;
  let notBefore = 0;

  return {
    async take() {
      if (held) return false;
      await sleep(Math.max(0, notBefore - performance.now()));
      const begun = Promise.withResolvers<void>();
      const end = Promise.withResolvers<void>();
      const remind = setInterval(() => void writeFile(note, '').catch(() => {}), REMIND_MS);
      const ended = withLock(join(directory, 'lock'), async () => {
        begun.resolve();
        await end.promise;
      });
      // A lock that cannot be had is told by `begun`; one that cannot be given back, by `giveBack`.
      ended.catch(begun.reject);
      try {
        await begun.promise;
        held = { end: end.resolve, ended };
        return true;
      } finally {
        clearInterval(remind);
        await rm(note, { force: true }).catch(() => {});
      }
    },
    wanted: () => held !== null && existsSync(note),
    async giveBack() {
      if (!held) return;
      const { end, ended } = held;
      held = null;
      notBefore = existsSync(note) ? performance.now() + GIVE_WAY_MS : 0;
      end();
      await ended;
    },
  };
}
