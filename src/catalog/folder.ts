// A folder whose .wasm files are served as long as they are there: new ones are loaded, changed ones loaded anew, deleted
// ones unloaded. A file that cannot be used is named in the log once per change and harms none of the others.

import { watch } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { WitboxError } from '../core/errors.ts';
import type { Logger } from '../core/log.ts';
import { fetchComponent } from '../store/source/source.ts';
import type { Components } from './components.ts';

export interface WatchedFolder {
  close(): void;
}

interface Known {
  /** Changes when the file does. */
  readonly mark: string;
  readonly id: string | null;
}

/** Events can be lost (network file systems, full queues); a look now and then finds what they missed. */
const LOOK_EVERY_MS = 2_000;

/** Settles when everything in the folder has been looked at once. Throws `folder-unreadable`. */
export async function watchFolder(
  directory: string,
  components: Components,
  log: Logger,
): Promise<WatchedFolder> {
  const known = new Map<string, Known>();
  let looking: Promise<void> = Promise.resolve();
  let closed = false;

  async function take(path: string, mark: string): Promise<void> {
    const before = known.get(path);
    if (before?.mark === mark) return;
    try {
      const fetched = await fetchComponent(path, { directory });
      if (before?.id) components.remove(before.id);
      known.set(path, { mark, id: (await components.add(fetched)).spec.id });
    } catch (error) {
      // Half-written files look like this too: the next change brings another try.
      known.set(path, { mark, id: before?.id ?? null });
      log.warn('file not served', { file: path, reason: (error as Error).message });
    }
  }

  async function look(): Promise<void> {
    const names = (await readdir(directory)).filter((name) => name.endsWith('.wasm')).sort();
    const paths = names.map((name) => join(directory, name));
    for (const [path, { id }] of known) {
      if (paths.includes(path)) continue;
      known.delete(path);
      if (id !== null) components.remove(id);
    }
    for (const path of paths) {
      const found = await stat(path).catch(() => null);
      if (found?.isFile() && !closed) await take(path, `${found.size} ${found.mtimeMs} ${found.ino}`);
    }
  }

  const again = (): void => {
    looking = looking
      .then(() => (closed ? undefined : look()))
      .catch((error: unknown) => {
        log.warn('folder not read', { folder: directory, reason: (error as Error).message });
      });
  };

  await look().catch((error: unknown) => {
    throw new WitboxError(
      'folder-unreadable',
      { folder: directory, reason: (error as Error).message },
      error,
    );
  });
  const events = watch(directory, { persistent: false }, again);
  events.on('error', () => events.close());
  const timer = setInterval(again, LOOK_EVERY_MS).unref();
  return {
    close() {
      closed = true;
      events.close();
      clearInterval(timer);
    },
  };
}
