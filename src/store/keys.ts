// The API keys of a data directory. Changes happen under the lock of the store and take effect by one rename; readers
// look at the file each time, so that a key made or revoked by another process counts from the next request on.

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { WitboxError } from '../core/errors.ts';
import { isSecretOf, makeKey, readKey } from './api-key.ts';
import { createFreshReader, oncePerTurn, writeAtomic } from './atomic-file.ts';
import { checkKeyName, checkLabels, formatKeys, KEYS_FILE, parseKeys, type StoredKey } from './keys-file.ts';
import { withLock } from './lock.ts';

export interface KeyWishes {
  readonly name: string;
  readonly scopes?: readonly string[];
  readonly groups?: readonly string[];
  readonly expiresAt?: Date | null;
}

export interface KeyStore {
  /** By name. Expired ones too. */
  list(): readonly StoredKey[];
  find(id: string): StoredKey | undefined;
  /** The key that this text proves, expired or not; null for what is unknown, wrong or no key at all. */
  prove(text: string): StoredKey | null;
  /** The text is in the answer and nowhere else. */
  create(wishes: KeyWishes): Promise<{ readonly text: string; readonly key: StoredKey }>;
  revoke(name: string): Promise<StoredKey>;
}

const MAX_KEYS = 10_000;
const MOST_PROVEN = 1_024;

/** Touches nothing yet: the directory is made by the first change. */
export function createKeyStore(directory: string, now: () => Date = () => new Date()): KeyStore {
  const scratch = join(directory, 'tmp');
  const path = join(directory, KEYS_FILE);
  const fresh = createFreshReader(path, parseKeys);
  const keys = oncePerTurn(fresh);
  // Good ones need no second proof while the file stays as it is; bad ones are looked at each time.
  const proven = new Map<string, StoredKey>();
  let provenIn: ReadonlyMap<string, StoredKey> | null = null;
  // What an unknown id is compared with, so that it takes as long as a known one.
  const stranger = makeKey();

  const change = async <T>(action: (known: StoredKey[]) => { keys: StoredKey[]; result: T }): Promise<T> => {
    try {
      await mkdir(scratch, { recursive: true, mode: 0o700 });
      return await withLock(join(directory, 'lock'), async () => {
        const { keys: next, result } = action([...fresh().values()]);
        await writeAtomic(scratch, path, formatKeys(next));
        return result;
      });
    } catch (error) {
      const { code, syscall } = error as NodeJS.ErrnoException;
      if (error instanceof WitboxError || syscall === undefined) throw error;
      throw new WitboxError('store-unusable', { directory, reason: code }, error);
    }
  };

  return {
    list: () => [...keys().values()].sort((a, b) => (a.name < b.name ? -1 : 1)),
    find: (id) => keys().get(id),
    prove(text) {
      const all = keys();
      if (all !== provenIn) proven.clear();
      provenIn = all;
      const known = proven.get(text);
      if (known) return known;
      const read = readKey(text);
      const key = all.get(read?.id ?? '');
      if (!isSecretOf(read?.secret ?? '', key ?? stranger) || !key) return null;
      if (proven.size >= MOST_PROVEN) proven.clear();
      proven.set(text, key);
      return key;
    },
    async create({ name, scopes = [], groups = [], expiresAt = null }) {
      checkKeyName(name);
      checkLabels('scope', scopes);
      checkLabels('group', groups);
      return change((known) => {
        if (known.some((key) => key.name === name)) throw new WitboxError('key-exists', { name });
        if (known.length >= MAX_KEYS) throw new WitboxError('too-many-keys', { limit: MAX_KEYS });
        const { text, ...made } = makeKey();
        const key: StoredKey = {
          ...made,
          name,
          scopes: [...new Set(scopes)],
          groups: [...new Set(groups)],
          createdAt: now().toISOString(),
          expiresAt: expiresAt?.toISOString() ?? null,
        };
        return { keys: [...known, key], result: { text, key } };
      });
    },
    revoke: (name) =>
      change((known) => {
        const key = known.find((one) => one.name === name);
        if (!key) throw new WitboxError('key-unknown', { name: name.slice(0, 80) });
        return { keys: known.filter((one) => one !== key), result: key };
      }),
  };
}
