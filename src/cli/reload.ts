// Reads the configuration again while the server runs. What cannot be read or used changes nothing and is an error in
// the log; what can be applied is; what is decided at the start is named, every time, until the server is started anew.

import { changedKeys } from '../config/changes.ts';
import type { Config } from '../config/config.ts';
import { WitboxError } from '../core/errors.ts';
import type { Logger } from '../core/log.ts';
import type { Settings } from './serve-settings.ts';

export interface ReloadDeps {
  readonly load: () => Promise<Settings>;
  /** Throws what cannot be used; it is then called again with what was there before. */
  readonly apply: (config: Config) => Promise<void>;
  /** Whether a key is decided when the server starts. */
  readonly atStart: (key: string) => boolean;
  /** Told after it went well. */
  readonly applied: (keys: readonly string[], needsRestart: readonly string[]) => void;
  readonly log: Logger;
}

/** Gives what reads it again; one reading at a time. */
export function createReload(
  start: Settings,
  { load, apply, atStart, applied: tell, log }: ReloadDeps,
): () => Promise<void> {
  const { file } = start;
  let current = start.config;
  let running: Promise<void> = Promise.resolve();

  const reload = async (): Promise<void> => {
    let next: Config;
    try {
      next = (await load()).config;
    } catch (error) {
      log.error('config not applied', { file, reason: reasonOf(error) });
      return;
    }
    const applied = changedKeys(current, next).filter((key) => !atStart(key));
    try {
      await apply(next);
    } catch (error) {
      log.error('config not applied', { file, reason: reasonOf(error) });
      await apply(current).catch((again: unknown) =>
        log.error('config not restored', { file, reason: reasonOf(again) }),
      );
      return;
    }
    current = next;
    const waiting = changedKeys(start.config, next).filter(atStart);
    tell(applied, waiting);
    log.info('config applied', { file, applied, needsRestart: waiting });
  };
  return () => {
    running = running.then(reload);
    return running;
  };
}

function reasonOf(error: unknown): string {
  return error instanceof WitboxError ? error.message : `Internal error: ${(error as Error).message}`;
}
