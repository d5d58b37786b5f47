// Which configuration a run has: the file given with --config, else the one that WITBOX_CONFIG names, else none. A file
// is never taken because it happens to lie in the current folder. What reads it is loaded when there is one to read.

import { resolve } from 'node:path';
import type { LoadedConfig } from '../config/config.ts';
import type { Flag, Io } from './command.ts';
import { readNamedFile } from './read-file.ts';

const MAX_BYTES = 1024 * 1024;

export const CONFIG_FLAG = {
  config: {
    type: 'string',
    value: 'FILE',
    summary: 'Read the configuration from this file, not WITBOX_CONFIG',
  },
} as const satisfies Record<string, Flag>;

export function configFile(flag: string | undefined, io: Io): string | null {
  const given = flag ?? io.env.WITBOX_CONFIG;
  return given ? resolve(given) : null;
}

/** Throws `file-unreadable` or `config-invalid`. */
export async function loadConfigFile(file: string | null): Promise<LoadedConfig> {
  if (file === null) {
    const { defaultConfig } = await import('../config/config.ts');
    return { config: defaultConfig(), written: new Map() };
  }
  const { readConfig } = await import('../config/load.ts');
  return readConfig(await readText(file), file);
}

export async function readText(file: string): Promise<string> {
  return Buffer.from(await readNamedFile(file, MAX_BYTES)).toString('utf8');
}
