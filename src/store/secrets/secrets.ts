// The secrets of components: set by an operator, kept encrypted, given to calls. A change by any process counts from
// the next call on. Values leave here for one component at a time and for nothing that is shown; each one that was
// opened is made known to the redactor first. Nothing is ever written over that the present key does not open.

import { join } from 'node:path';
import { WitboxError } from '../../core/errors.ts';
import type { Logger } from '../../core/log.ts';
import type { Redactor } from '../../core/redact.ts';
import { createFreshReader } from '../atomic-file.ts';
import type { Store } from '../store.ts';
import { badKey, type KeySource, newKey } from './key-source.ts';
import { seal, unseal } from './seal.ts';
import { checkName, checkValue, clip } from './secret-rules.ts';
import {
  formatSecrets,
  type KeyFacts,
  keyFacts,
  newSalt,
  opens,
  parseSecrets,
  SECRETS_FILE,
  type SecretsFile,
  withSecret,
} from './secrets-file.ts';

export interface SecretFacts {
  readonly component: string;
  readonly key: string;
  /** ISO 8601. */
  readonly setAt: string;
}

export type SecretValues = ReadonlyMap<string, string>;

export interface Secrets {
  /** Needs no key. Throws `component-unknown`. */
  list(component?: string): readonly SecretFacts[];
  set(component: string, key: string, value: string): Promise<void>;
  /** Needs no key: what was lost can be thrown away. */
  delete(component: string, key: string): Promise<void>;
  /** The values of a component for one call; costs one look at a file unless something has changed. */
  of(component: string): Promise<SecretValues>;
  /** Makes all values known to the redactor; whatever keeps them closed goes to the log. */
  prepare(): Promise<void>;
  /** Encrypts everything anew: with the key of `next`, which is made if need be. Gives how many. */
  rekey(next: KeySource): Promise<number>;
}

export interface SecretsDeps {
  readonly store: Store;
  readonly key: KeySource;
  readonly redactor: Redactor;
  readonly log?: Logger;
  readonly now?: () => Date;
}

const MOST_SECRETS = 1_000;

const NONE: SecretValues = new Map();

interface Opened {
  readonly file: SecretsFile;
  /** Null for those with a value that was tampered with. */
  readonly values: ReadonlyMap<string, SecretValues | null>;
}

export function createSecrets({ store, key: source, redactor, log, now }: SecretsDeps): Secrets {
  const path = join(store.directory, SECRETS_FILE);
  const read = createFreshReader(path, parseSecrets);
  let opened: Opened | null = null;

  /** Only if it is the right one. */
  async function keyFor(facts: KeyFacts): Promise<Uint8Array> {
    const keys = await source.load(facts.salt);
    if (keys.length === 0)
      throw badKey(`there is no key in the ${source.name}; they were set with the ${facts.from}`);
    const right = keys.find((key) => opens(key, facts));
    if (right !== undefined) return right;
    throw badKey(`the key in the ${source.name} is not the one that they were set with`);
  }

  function openAll(file: SecretsFile, key: Uint8Array): Opened['values'] {
    return new Map([...file.components].map(([id, secrets]) => [id, openOwn(id, secrets, key)]));
  }

  function openOwn(
    id: string,
    secrets: ReadonlyMap<string, { sealed: string }>,
    key: Uint8Array,
  ): SecretValues | null {
    const values = new Map<string, string>();
    let whole = true;
    for (const [name, { sealed }] of secrets) {
      const value = unseal(key, ['secret', id, name], sealed);
      if (value === null) whole = false;
      else {
        redactor.add(value);
        values.set(name, value);
      }
    }
    return whole ? values : null;
  }

  async function present(): Promise<Opened> {
    const file = read();
    if (opened?.file === file) return opened;
    const values =
      file.key === null || file.components.size === 0 ? new Map() : openAll(file, await keyFor(file.key));
    opened = { file, values };
    return opened;
  }

  /** The key to set with, and what is told of it; a new one only where nothing is kept under another. */
  async function keyToSet(
    file: SecretsFile,
  ): Promise<{ readonly key: Uint8Array; readonly facts: KeyFacts }> {
    if (file.key !== null && file.components.size > 0)
      return { key: await keyFor(file.key), facts: file.key };
    const salt = newSalt();
    const [known] = await source.load(salt);
    const key = known ?? (await makeKey(source));
    return { key, facts: keyFacts(key, source.name, salt) };
  }

  return {
    list(component) {
      if (component !== undefined) store.get(component);
      const ids = new Set(store.list().map(({ id }) => id));
      return [...read().components]
        .filter(([id]) => ids.has(id) && (component === undefined || id === component))
        .flatMap(([id, secrets]) => [...secrets].map(([key, { setAt }]) => ({ component: id, key, setAt })))
        .sort((a, b) => (`${a.component} ${a.key}` < `${b.component} ${b.key}` ? -1 : 1));
    },

    async set(component, name, value) {
      store.get(component);
      checkName(name);
      checkValue(name, value);
      redactor.add(value);
      await store.exclusively(async (write) => {
        store.get(component);
        const file = read();
        const { key, facts } = await keyToSet(file);
        const secret = {
          setAt: (now?.() ?? new Date()).toISOString(),
          sealed: seal(key, ['secret', component, name], value),
        };
        const next = withSecret({ ...file, key: facts }, component, name, secret);
        if ((next.components.get(component)?.size ?? 0) > MOST_SECRETS)
          throw new WitboxError('secret-invalid', {
            key: name,
            problem: `there are ${MOST_SECRETS} already`,
          });
        await write(path, formatSecrets(next));
      });
    },

    async delete(component, name) {
      store.get(component);
      await store.exclusively(async (write) => {
        const file = read();
        if (!file.components.get(component)?.has(name))
          throw new WitboxError('secret-unknown', { component, key: clip(name) });
        await write(path, formatSecrets(withSecret(file, component, name, null)));
      });
    },

    async of(component) {
      try {
        // Without a secret there is no need for a key.
        if (!read().components.has(component)) return NONE;
        const own = (await present()).values.get(component);
        if (own === null) throw badKey(`those of "${component}" have been changed by somebody else`);
        return own ?? NONE;
      } catch (error) {
        log?.error('secrets cannot be opened', { component, reason: (error as Error).message });
        throw new WitboxError('secrets-closed', { id: component }, error);
      }
    },

    async prepare() {
      await present().catch((error: Error) =>
        log?.error('secrets cannot be opened', { reason: error.message }),
      );
    },

    rekey: (next) =>
      store.exclusively(async (write) => {
        const file = read();
        if (file.key === null || file.components.size === 0) return 0;
        const values = openAll(file, await keyFor(file.key));
        const salt = newSalt();
        const { key, settle } = await nextKey(source, next, salt);
        let sealed: SecretsFile = { key: keyFacts(key, next.name, salt), components: new Map() };
        let count = 0;
        for (const [id, secrets] of file.components) {
          for (const [name, { setAt }] of secrets) {
            const value = values.get(id)?.get(name);
            if (value === undefined) throw badKey(`those of "${id}" have been changed by somebody else`);
            sealed = withSecret(sealed, id, name, { setAt, sealed: seal(key, ['secret', id, name], value) });
            count += 1;
          }
        }
        await write(path, formatSecrets(sealed));
        await settle();
        return count;
      }),
  };
}

async function makeKey(source: KeySource): Promise<Uint8Array> {
  if (source.keep === null) throw badKey(`there is no key in the ${source.name}`);
  const key = newKey();
  await source.keep([key]);
  return key;
}

/** A fresh key beside the old one until `settle`; or the one that the next source has already. */
async function nextKey(
  source: KeySource,
  next: KeySource,
  salt: string,
): Promise<{ readonly key: Uint8Array; settle(): Promise<void> }> {
  const there = await next.load(salt);
  const { keep } = next;
  if (next.name !== source.name && there[0] !== undefined) return { key: there[0], settle: async () => {} };
  if (keep === null)
    throw badKey(
      next.name === source.name
        ? `a key in the ${next.name} cannot be changed here: name another place for the new one with --to`
        : `there is no key in the ${next.name}`,
    );
  const key = newKey();
  await keep([key, ...there]);
  return { key, settle: () => keep([key]) };
}
