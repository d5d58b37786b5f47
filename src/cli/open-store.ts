// What the commands that touch the data directory share: the flag, and opening the store it names.

import { homedir } from 'node:os';
import { resolveDataDir } from '../store/data-dir.ts';
import { createStore, type Store } from '../store/store.ts';
import type { Flag, Io } from './command.ts';

export const STORE_FLAGS = {
  'data-dir': { type: 'string', value: 'DIR', summary: 'Where components and policies are kept' },
  json: { type: 'boolean', summary: 'Print the answer as JSON' },
} as const satisfies Record<string, Flag>;

export function openStore(flag: string | undefined, io: Io): Store {
  return createStore(
    resolveDataDir({ flag, env: io.env, home: io.env.HOME ?? homedir(), platform: process.platform }),
  );
}

export function printJson(io: Io, value: unknown): void {
  io.out(`${JSON.stringify(value, null, 2)}\n`);
}
