// `keys.json`: the API keys that are taken, as salted hashes. Read strictly: a file that cannot be understood lets
// nobody in.

import { WitboxError } from '../core/errors.ts';

export interface StoredKey {
  /** Found in the key's text; never used twice, so that a name given again is another caller. */
  readonly id: string;
  /** What people and rules call it. */
  readonly name: string;
  readonly salt: string;
  readonly hash: string;
  readonly lastFour: string;
  readonly scopes: readonly string[];
  readonly groups: readonly string[];
  /** ISO 8601. */
  readonly createdAt: string;
  readonly expiresAt: string | null;
}

export const KEYS_FILE = 'keys.json';
const FORMAT = 1;
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
/** RFC 6749, section 3.3: what a scope may be made of. Groups too. */
const LABEL = /^[\x21\x23-\x5b\x5d-\x7e]{1,128}$/;
const LENGTHS = { salt: 16, hash: 32 } as const;

export function checkKeyName(name: string): void {
  if (!NAME.test(name)) throw new WitboxError('key-name-invalid', { name: name.slice(0, 80) });
}

export function checkLabels(what: 'scope' | 'group', labels: readonly string[]): void {
  const wrong = labels.find((label) => !LABEL.test(label));
  if (wrong !== undefined) throw new WitboxError('key-label-invalid', { what, label: wrong.slice(0, 80) });
}

export function formatKeys(keys: readonly StoredKey[]): string {
  return `${JSON.stringify({ format: FORMAT, keys }, null, 2)}\n`;
}

/** By id. Without a file there are no keys. */
export function parseKeys(text: string | undefined): ReadonlyMap<string, StoredKey> {
  if (text === undefined) return new Map();
  const keys = readList(text).map(readKey);
  const byId = new Map(keys.map((key) => [key.id, key]));
  if (byId.size < keys.length) throw corrupt('an id is there twice');
  if (new Set(keys.map(({ name }) => name)).size < keys.length) throw corrupt('a name is there twice');
  return byId;
}

function readList(text: string): readonly unknown[] {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch (error) {
    throw corrupt('it is not JSON', error);
  }
  const { format, keys } = (data ?? {}) as { format?: unknown; keys?: unknown };
  if (format !== FORMAT)
    throw corrupt(`its format is ${JSON.stringify(format) ?? 'missing'}, expected ${FORMAT}`);
  if (!Array.isArray(keys)) throw corrupt('it has no list of keys');
  return keys;
}

function readKey(entry: unknown): StoredKey {
  const key = (entry ?? {}) as Record<keyof StoredKey, unknown>;
  const { id, name, salt, hash, lastFour, scopes, groups, createdAt, expiresAt } = key;
  if (typeof id !== 'string' || !/^[0-9a-f]{16}$/.test(id)) throw corrupt('a key has no valid id');
  if (typeof name !== 'string' || !NAME.test(name)) throw corrupt(`key ${id} has no valid name`);
  if (!isBytes(salt, LENGTHS.salt) || !isBytes(hash, LENGTHS.hash))
    throw corrupt(`"${name}" has no valid hash`);
  if (typeof lastFour !== 'string' || !isTime(createdAt)) throw corrupt(`"${name}" is incomplete`);
  if (!isLabels(scopes) || !isLabels(groups))
    throw corrupt(`"${name}" has scopes or groups that are no words`);
  if (expiresAt !== null && !isTime(expiresAt)) throw corrupt(`"${name}" has no valid time of expiry`);
  return { id, name, salt, hash, lastFour, scopes, groups, createdAt, expiresAt };
}

function isBytes(value: unknown, length: number): value is string {
  return typeof value === 'string' && Buffer.from(value, 'base64url').length === length;
}

function isTime(value: unknown): value is string {
  return typeof value === 'string' && !Number.isNaN(Date.parse(value));
}

function isLabels(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string' && LABEL.test(one));
}

function corrupt(problem: string, cause?: unknown): WitboxError {
  return new WitboxError('store-corrupt', { file: KEYS_FILE, problem }, cause);
}
