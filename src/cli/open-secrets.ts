// What all that touches secrets shares: the same key for the commands as for the server, from the configuration, the
// environment or the data directory.

import type { Redactor } from '../core/redact.ts';
import type { SecretKeyOptions } from '../core/secret-key-options.ts';
import { isSecretName, plainName } from '../core/secret-shapes.ts';
import { KEY_VARIABLE, type KeySource, keySource } from '../store/secrets/key-source.ts';
import { createSecrets, type Secrets } from '../store/secrets/secrets.ts';
import type { Store } from '../store/store.ts';
import type { Io } from './command.ts';
import { configFile, loadConfigFile } from './config-file.ts';
import { openStore } from './open-store.ts';

/** Shorter ones are words like `true` or `none`. */
const SHORTEST_VALUE = 8;

interface SecretFlags {
  readonly config?: string;
  readonly 'data-dir'?: string;
}

export interface OpenSecrets {
  readonly store: Store;
  readonly secrets: Secrets;
  readonly source: KeySource;
}

/** For commands: as the configuration says. */
export async function openSecrets(flags: SecretFlags, io: Io): Promise<OpenSecrets> {
  const { config } = await loadConfigFile(configFile(flags.config, io));
  const store = openStore(flags['data-dir'] ?? (io.env.WITBOX_DATA_DIR || config.dataDir), io);
  const source = keySource(config.secrets.key ?? null, { env: io.env, dataDir: store.directory });
  return { store, source, secrets: createSecrets({ store, key: source, redactor: io.redactor }) };
}

/** What the file says about the key; without one there is nothing to load. */
export async function configuredKey(file: string | null): Promise<SecretKeyOptions | undefined> {
  return file === null ? undefined : (await loadConfigFile(file)).config.secrets.key;
}

/** Where the shell is and was: they only sound like passwords, and stand in the paths that logs name. */
const FOLDERS: ReadonlySet<string> = new Set(['PWD', 'OLDPWD']);

/** Variables with names like API_KEY: what they hold is a secret wherever it turns up. */
export function hideEnvironment(env: Io['env'], redactor: Redactor): void {
  for (const [name, value = ''] of Object.entries(env)) {
    if (value.length < SHORTEST_VALUE || FOLDERS.has(name)) continue;
    if (isSecretName(plainName(name))) redactor.add(value);
  }
}

/** What components may be granted of the environment: everything but the key to all secrets. */
export function grantableEnvironment(env: Io['env'], key: SecretKeyOptions | null): Io['env'] {
  const own = key !== null && 'environment' in key ? key.environment : KEY_VARIABLE;
  return Object.fromEntries(Object.entries(env).filter(([name]) => name !== KEY_VARIABLE && name !== own));
}
