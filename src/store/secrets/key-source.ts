// Where the key of the secrets is kept: a file, the environment, or the keyring of the system. A source can hold two
// keys for the moment in which one takes the place of the other, so that a kill in between leaves nothing locked.

import { randomBytes, scrypt } from 'node:crypto';
import { chmodSync, readFileSync, statSync } from 'node:fs';
import { mkdir, open, rename } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { WitboxError } from '../../core/errors.ts';
import type { SecretKeyOptions } from '../../core/secret-key-options.ts';
import { syncDirectory } from '../atomic-file.ts';
import { keyringOf } from './keyring.ts';
import { KEY_BYTES } from './seal.ts';

export interface KeySource {
  /** For messages, and to tell two sources apart. */
  readonly name: string;
  /** The newest first; none if there is none yet. */
  load(salt: string): Promise<readonly Uint8Array[]>;
  /** Keeps these and no others; null where only a person can. */
  readonly keep: ((keys: readonly Uint8Array[]) => Promise<void>) | null;
}

/** The variable that is looked at if nothing else is said. */
export const KEY_VARIABLE = 'WITBOX_SECRET_KEY';
const KEY_FILE = 'secrets.key';

interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly dataDir: string;
}

/** Without options: the variable if it is set, else a file in the data directory. */
export function keySource(options: SecretKeyOptions | null, { env, dataDir }: Surroundings): KeySource {
  if (options === null)
    return env[KEY_VARIABLE] ? fromEnvironment(KEY_VARIABLE, env) : fromFile(join(dataDir, KEY_FILE));
  if ('file' in options) return fromFile(resolve(dataDir, options.file));
  return 'environment' in options ? fromEnvironment(options.environment, env) : fromKeyring(dataDir, env);
}

export function newKey(): Uint8Array {
  return randomBytes(KEY_BYTES);
}

export function badKey(problem: string, cause?: unknown): WitboxError {
  return new WitboxError('secrets-key', { problem }, cause);
}

function fromFile(path: string): KeySource {
  const name = `file "${path}"`;
  return {
    name,
    async load() {
      const info = statSync(path, { throwIfNoEntry: false });
      if (info === undefined) return [];
      if (process.platform !== 'win32' && (info.mode & 0o077) !== 0)
        throw badKey(`${name} can be read by others, run chmod 600 on it`);
      return readKeys(readFileSync(path, 'utf8'), name);
    },
    async keep(keys) {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      const next = `${path}.${randomBytes(6).toString('hex')}`;
      const file = await open(next, 'wx', 0o600);
      try {
        await file.writeFile(writeKeys(keys));
        await file.sync();
      } finally {
        await file.close();
      }
      chmodSync(next, 0o600);
      await rename(next, path);
      await syncDirectory(dirname(path));
    },
  };
}

const SHORTEST_PASSPHRASE = 12;
/** 64 MiB and about a tenth of a second for each guess. */
const SCRYPT = { N: 1 << 16, r: 8, p: 1, maxmem: 128 << 20 };
const derive = promisify<string, Buffer, number, typeof SCRYPT, Buffer>(scrypt);

function fromEnvironment(variable: string, env: Surroundings['env']): KeySource {
  const name = `environment variable ${variable}`;
  const derived = new Map<string, Uint8Array>();
  return {
    name,
    keep: null,
    async load(salt) {
      const text = env[variable]?.trim();
      if (!text) return [];
      const key = keyOf(text);
      if (key !== null) return [key];
      if (text.length < SHORTEST_PASSPHRASE)
        throw badKey(
          `${name} is neither a key of ${KEY_BYTES} bytes in base64 nor a passphrase of at least ${SHORTEST_PASSPHRASE} characters`,
        );
      const known = derived.get(salt) ?? (await derive(text, Buffer.from(salt, 'base64'), KEY_BYTES, SCRYPT));
      derived.set(salt, known);
      return [known];
    },
  };
}

function fromKeyring(dataDir: string, env: Surroundings['env']): KeySource {
  const name = 'keyring of the system';
  const keyring = keyringOf(dataDir, env);
  return {
    name,
    async load() {
      const text = await keyring.get();
      return text === null ? [] : readKeys(text, name);
    },
    keep: (keys) => keyring.set(writeKeys(keys).trimEnd()),
  };
}

/** One line, keys in base64 with a space between them. */
function writeKeys(keys: readonly Uint8Array[]): string {
  return `${keys.map((key) => Buffer.from(key).toString('base64')).join(' ')}\n`;
}

function readKeys(text: string, name: string): readonly Uint8Array[] {
  const words = text.split(/\s+/).filter(Boolean);
  const keys = words.flatMap((word) => keyOf(word) ?? []);
  if (keys.length === 0 || keys.length < words.length)
    throw badKey(`${name} does not hold a key of ${KEY_BYTES} bytes in base64`);
  return keys;
}

function keyOf(text: string): Uint8Array | null {
  if (!/^[A-Za-z0-9+/_-]{43}=?$/.test(text)) return null;
  const bytes = Buffer.from(text, 'base64');
  return bytes.length === KEY_BYTES ? bytes : null;
}
