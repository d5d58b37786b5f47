// `secrets.json` in the data directory: for each component its secrets, encrypted, and what tells whether a key is the
// right one. Names and dates can be read by whoever can read the file; values by nobody without the key. Read strictly.

import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { WitboxError } from '../../core/errors.ts';
import { writeAtomic } from '../atomic-file.ts';
import { isComponentId } from '../component-id.ts';
import { seal, unseal } from './seal.ts';

export const SECRETS_FILE = 'secrets.json';
const FORMAT = 1;
const SALT_BYTES = 16;

/** What is known of the key without having it. */
export interface KeyFacts {
  /** Where it came from when it was last changed, for messages. */
  readonly from: string;
  /** For keys that are derived from a passphrase. */
  readonly salt: string;
  readonly check: string;
}

export interface SealedSecret {
  /** ISO 8601. */
  readonly setAt: string;
  readonly sealed: string;
}

type ComponentSecrets = ReadonlyMap<string, SealedSecret>;

export interface SecretsFile {
  /** Null as long as there has never been a secret. */
  readonly key: KeyFacts | null;
  readonly components: ReadonlyMap<string, ComponentSecrets>;
}

export function newSalt(): string {
  return randomBytes(SALT_BYTES).toString('base64');
}

export function keyFacts(key: Uint8Array, from: string, salt: string): KeyFacts {
  return { from, salt, check: seal(key, ['key'], '') };
}

export function opens(key: Uint8Array, { check }: KeyFacts): boolean {
  return unseal(key, ['key'], check) === '';
}

/** The file with one secret set, or removed if there is none given. */
export function withSecret(
  file: SecretsFile,
  component: string,
  key: string,
  secret: SealedSecret | null,
): SecretsFile {
  const own = new Map(file.components.get(component));
  if (secret === null) own.delete(key);
  else own.set(key, secret);
  const components = new Map(file.components);
  if (own.size === 0) components.delete(component);
  else components.set(component, own);
  return { ...file, components };
}

/** Forgets those of components that are gone; an id that comes back begins without any. */
export async function keepSecretsOf(
  ids: ReadonlySet<string>,
  directory: string,
  scratch: string,
): Promise<void> {
  const path = join(directory, SECRETS_FILE);
  const text = await readFile(path, 'utf8').catch(() => undefined);
  if (text === undefined) return;
  const file = parseSecrets(text);
  const components = new Map([...file.components].filter(([id]) => ids.has(id)));
  if (components.size < file.components.size)
    await writeAtomic(scratch, path, formatSecrets({ ...file, components }));
}

export function formatSecrets({ key, components }: SecretsFile): string {
  const plain = [...components].map(([id, secrets]) => [id, Object.fromEntries(secrets)] as const);
  return `${JSON.stringify({ format: FORMAT, key, components: Object.fromEntries(plain) }, null, 2)}\n`;
}

export function parseSecrets(text: string | undefined): SecretsFile {
  if (text === undefined) return { key: null, components: new Map() };
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch (error) {
    throw corrupt('it is not JSON', error);
  }
  const { format, key, components } = record(data, 'it');
  if (format !== FORMAT)
    throw corrupt(`its format is ${JSON.stringify(format) ?? 'missing'}, expected ${FORMAT}`);
  return {
    key: key === null ? null : readKey(key),
    components: new Map(
      Object.entries(record(components, 'its list of components')).map(([id, own]) => {
        if (!isComponentId(id)) throw corrupt('a component has no valid id');
        return [id, readOwn(id, own)];
      }),
    ),
  };
}

function readKey(value: unknown): KeyFacts {
  const { from, salt, check } = record(value, 'its key');
  if (typeof from !== 'string' || typeof salt !== 'string' || typeof check !== 'string')
    throw corrupt('its key is incomplete');
  return { from, salt, check };
}

function readOwn(id: string, value: unknown): ComponentSecrets {
  return new Map(
    Object.entries(record(value, `"${id}"`)).map(([key, secret]) => {
      const { setAt, sealed } = record(secret, `a secret of "${id}"`);
      if (typeof setAt !== 'string' || typeof sealed !== 'string')
        throw corrupt(`a secret of "${id}" is incomplete`);
      return [key, { setAt, sealed }];
    }),
  );
}

function record(value: unknown, what: string): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>;
  throw corrupt(`${what} is not an object`);
}

function corrupt(problem: string, cause?: unknown): WitboxError {
  return new WitboxError('store-corrupt', { file: SECRETS_FILE, problem }, cause);
}
