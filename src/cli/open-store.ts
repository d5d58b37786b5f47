// What the commands that touch the data directory share: the flag, and opening the store it names.

import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { readConfig } from '../config/load.ts';
import { WitboxError } from '../core/errors.ts';
import { resolveDataDir } from '../store/data-dir.ts';
import { createStore, type Store } from '../store/store.ts';
import type { Flag, Io } from './command.ts';
import { CONFIG_FLAG } from './config-file.ts';

export const STORE_FLAGS = {
  ...CONFIG_FLAG,
  'data-dir': { type: 'string', value: 'DIR', summary: 'Where components, policies and keys are kept' },
  json: { type: 'boolean', summary: 'Print the answer as JSON' },
} as const satisfies Record<string, Flag>;

/** Where the flag says, else WITBOX_DATA_DIR, else the file that --config or WITBOX_CONFIG names, else the usual place. */
export function openStore(flag: string | undefined, io: Io): Store {
  const given = flag ?? (io.env.WITBOX_DATA_DIR || configuredDataDir(io));
  return createStore(
    resolveDataDir({ flag: given, env: io.env, home: io.env.HOME ?? homedir(), platform: process.platform }),
  );
}

/** So that commands work on what the server serves. */
function configuredDataDir({ env: { WITBOX_CONFIG: given } }: Io): string | undefined {
  if (!given) return undefined;
  const file = resolve(given);
  return readConfig(readText(file), file).config.dataDir;
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new WitboxError('file-unreadable', { file, reason: `the system says ${code}` }, error);
  }
}

export function printJson(io: Io, value: unknown): void {
  io.out(`${JSON.stringify(value, null, 2)}\n`);
}
