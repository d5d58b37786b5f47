// Removes what interrupted changes left behind: temporary files, folders, bytes and secrets of what the catalogue does not
// name, and locks of processes long gone. Only ever called by the holder of the store's lock, who is therefore the only writer.

import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Blobs } from './blobs.ts';
import type { StoredComponent } from './catalogue-file.ts';
import { keepSecretsOf } from './secrets/secrets-file.ts';

/** Whoever prepares a lock does so without holding one; nobody takes this long over it. */
const LOCK_LITTER_MS = 60_000;

export async function sweep(
  directory: string,
  scratch: string,
  known: readonly StoredComponent[],
  blobs: Blobs,
): Promise<void> {
  const ids = new Set(known.map(({ id }) => id));
  await removeEach(scratch, () => true);
  await removeEach(join(directory, 'components'), (name) => !ids.has(name));
  await removeEach(directory, async (name) => {
    if (!name.startsWith('lock.')) return false;
    const info = await stat(join(directory, name)).catch(() => undefined);
    return info !== undefined && Date.now() - info.mtimeMs > LOCK_LITTER_MS;
  });
  await keepSecretsOf(ids, directory, scratch);
  await blobs.keepOnly(new Set(known.map(({ digest }) => digest)));
}

async function removeEach(
  directory: string,
  isLitter: (name: string) => boolean | Promise<boolean>,
): Promise<void> {
  for (const name of await readdir(directory)) {
    if (await isLitter(name)) await rm(join(directory, name), { recursive: true, force: true });
  }
}
