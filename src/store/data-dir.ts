// Where the state lives: `--data-dir`, else WITBOX_DATA_DIR, else the data directory of the platform (XDG on Unix).
// Pure: the environment and the home directory come in, so that only the CLI ever reads them.

import { isAbsolute, join, resolve } from 'node:path';

export interface DataDirInput {
  readonly flag?: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly platform?: NodeJS.Platform;
}

export function resolveDataDir({ flag, env, home, platform = 'linux' }: DataDirInput): string {
  const given = flag || env.WITBOX_DATA_DIR;
  if (given) return resolve(given);
  const xdg = env.XDG_DATA_HOME;
  // The XDG specification says to ignore a relative path.
  if (xdg && isAbsolute(xdg)) return join(xdg, 'witbox');
  if (platform === 'win32' && env.LOCALAPPDATA) return join(env.LOCALAPPDATA, 'witbox');
  return join(home, '.local', 'share', 'witbox');
}
