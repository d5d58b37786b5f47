// Which directories have to be opened before a guest starts, so that every granted path can be reached from one of them.
// An open directory is a way in, not a grant: each path is still decided on its own. The disk is asked through a
// predicate, so that this stays pure. A guest sees a directory under its own path.

import { globReachesBelow, literalPrefix } from './glob.ts';
import type { Policy } from './policy.ts';

export interface Preopen {
  readonly hostPath: string;
  readonly guestPath: string;
  /** Whether a write rule reaches anything in it. */
  readonly writable: boolean;
}

/** Directories that do not exist are left out. */
export function preopensOf({ storage }: Policy, isDirectory: (path: string) => boolean): readonly Preopen[] {
  const roots = new Map<string, readonly string[]>();
  for (const { glob } of storage.allow) {
    const { path, exact } = literalPrefix(glob);
    // A rule for one path may name a file, which is reached through its directory.
    const root = exact && !isDirectory(join(path)) ? path.slice(0, -1) : path;
    if (isDirectory(join(root))) roots.set(join(root), root);
  }
  return [...roots].map(([hostPath, segments]) => ({
    hostPath,
    guestPath: hostPath,
    writable: storage.allow.some(
      (rule) => rule.access.includes('write') && globReachesBelow(rule.glob, segments),
    ),
  }));
}

function join(path: readonly string[]): string {
  return `/${path.join('/')}`;
}
