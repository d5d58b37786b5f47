// Bytes by their digest: `blobs/sha256/<hex>`. Written once, never changed, checked on every read, so that what runs is
// what was loaded. Writing and sweeping happen under the store's lock.

import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { WitboxError } from '../core/errors.ts';
import { syncDirectory, writeAtomic } from './atomic-file.ts';

export interface Blobs {
  put(bytes: Uint8Array): Promise<string>;
  /** Throws `store-corrupt` if it is missing or is not what its digest says. */
  get(digest: string): Promise<Uint8Array>;
  /** Removes every blob that is not named. */
  keepOnly(digests: ReadonlySet<string>): Promise<void>;
}

export function digestOf(bytes: Uint8Array): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}

export function createBlobs(root: string, scratch: string): Blobs {
  const directory = join(root, 'blobs', 'sha256');
  const pathOf = (digest: string): string => join(directory, digest.slice('sha256:'.length));
  return {
    async put(bytes) {
      const digest = digestOf(bytes);
      const known = await stat(pathOf(digest)).catch(() => undefined);
      if (known?.size !== bytes.byteLength) {
        await mkdir(directory, { recursive: true, mode: 0o700 });
        await writeAtomic(scratch, pathOf(digest), bytes);
      }
      return digest;
    },
    async get(digest) {
      const file = `blobs/${digest}`;
      const bytes = await readFile(pathOf(digest)).catch((error: unknown) => {
        throw new WitboxError('store-corrupt', { file, problem: 'it is missing' }, error);
      });
      if (digestOf(bytes) !== digest)
        throw new WitboxError('store-corrupt', { file, problem: 'its bytes have changed' });
      return bytes;
    },
    async keepOnly(digests) {
      const names = await readdir(directory).catch(() => []);
      const litter = names.filter((name) => !digests.has(`sha256:${name}`));
      for (const name of litter) await rm(join(directory, name), { force: true });
      if (litter.length > 0) await syncDirectory(directory);
    },
  };
}
