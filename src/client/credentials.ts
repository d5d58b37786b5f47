// What a person has consented to, kept on disk so that they are asked once: one file per server, apart for every
// authorization server. Readable by its owner alone, replaced whole or not at all. What cannot be read, or belongs to
// another server, counts as nothing kept; nothing of it is ever told in an error.

import { createHash, randomBytes } from 'node:crypto';
import { chmod, mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { StoredOAuthClientInformation, StoredOAuthTokens } from '@modelcontextprotocol/client';
import { isJsonObject, type JsonObject } from '../core/json.ts';

export interface Credentials {
  /** With which the clients were registered. */
  readonly redirectUrl: string;
  /** By issuer. */
  readonly clients: ReadonlyMap<string, StoredOAuthClientInformation>;
  readonly tokens: ReadonlyMap<string, StoredOAuthTokens>;
  /** The issuer of the tokens that were saved last. */
  readonly latest: string | undefined;
}

export interface CredentialFile {
  readonly path: string;
  read(): Promise<Credentials | undefined>;
  write(credentials: Credentials): Promise<void>;
  /** Whether there was something to forget. */
  forget(): Promise<boolean>;
}

const MAX_SIZE = 1024 * 1024;
const OWNER_ONLY = 0o600;

export function createCredentialFile(directory: string, server: URL): CredentialFile {
  const name = `${server.origin}${server.pathname}`;
  const digest = createHash('sha256').update(name).digest('hex').slice(0, 16);
  const path = join(directory, `${server.hostname.replace(/[^a-z0-9.-]/gi, '_')}-${digest}.json`);

  return {
    path,
    async read() {
      const text = await readFile(path, 'utf8').catch(() => '');
      const kept = text.length > MAX_SIZE ? undefined : parse(text);
      return kept?.server === name ? decode(kept) : undefined;
    },
    async write(credentials) {
      await mkdir(directory, { recursive: true, mode: 0o700 });
      await chmod(dirname(path), 0o700);
      const draft = `${path}.${randomBytes(6).toString('hex')}`;
      try {
        const file = await open(draft, 'wx', OWNER_ONLY);
        try {
          await file.writeFile(`${JSON.stringify({ server: name, ...encode(credentials) }, null, 2)}\n`);
          await file.sync();
        } finally {
          await file.close();
        }
        await rename(draft, path);
      } catch (error) {
        await rm(draft, { force: true });
        throw error;
      }
    },
    forget: () =>
      rm(path).then(
        () => true,
        () => false,
      ),
  };
}

function parse(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value as JsonObject) ? (value as JsonObject) : undefined;
  } catch {
    return undefined;
  }
}

function encode({ redirectUrl, clients, tokens, latest }: Credentials): object {
  return {
    redirectUrl,
    clients: Object.fromEntries(clients),
    tokens: Object.fromEntries(tokens),
    ...(latest !== undefined && { latest }),
  };
}

function decode({ redirectUrl, clients, tokens, latest }: JsonObject): Credentials | undefined {
  if (typeof redirectUrl !== 'string' || !isJsonObject(clients) || !isJsonObject(tokens)) return undefined;
  const entries = (value: JsonObject, needed: string): [string, never][] =>
    Object.entries(value).filter(
      ([, one]) => isJsonObject(one) && typeof one[needed] === 'string',
    ) as unknown as [string, never][];
  return {
    redirectUrl,
    clients: new Map(entries(clients, 'client_id')),
    tokens: new Map(entries(tokens, 'access_token')),
    latest: typeof latest === 'string' ? latest : undefined,
  };
}
