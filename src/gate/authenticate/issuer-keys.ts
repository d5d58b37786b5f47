// The public keys of one authorization server: found by its metadata, kept, and asked for again when they are old or a
// token names one that is not there. However many bad tokens come, the issuer is asked at most once per pause; while it
// cannot be reached, the keys that are known go on working for a day.

import type { CryptoKey, FlattenedJWSInput, JSONWebKeySet, JWSHeaderParameters } from 'jose';
import type { Logger } from '../../core/log.ts';
import type { OAuthOptions } from '../options.ts';
import { unavailable } from './challenge.ts';
import { fetchKeys } from './discovery.ts';

export interface IssuerKeys {
  /** Throws `authentication-unavailable`, or what jose throws if no key fits. */
  find(header: JWSHeaderParameters, token: FlattenedJWSInput): Promise<CryptoKey>;
}

export interface IssuerDeps {
  readonly log: Logger;
  readonly now: () => number;
  readonly fetch: typeof fetch;
  /** The keys are others than before: nothing that was checked with the old ones counts any longer. */
  readonly onChange: () => void;
}

type Finder = (header: JWSHeaderParameters, token: FlattenedJWSInput) => Promise<CryptoKey>;

const FRESH_MS = 600_000;
const USABLE_MS = 86_400_000;
const PAUSE_MS = 30_000;
/** While there are no keys at all, somebody is waiting for them. */
const PAUSE_WITHOUT_KEYS_MS = 5_000;

export function createIssuerKeys(options: OAuthOptions, deps: IssuerDeps): IssuerKeys {
  const { log, now } = deps;
  const { issuer } = options;
  let keys: { readonly find: Finder; readonly text: string; readonly at: number } | null = null;
  let askedAt = Number.NEGATIVE_INFINITY;
  let asking: Promise<void> | null = null;

  async function ask(): Promise<void> {
    askedAt = now();
    try {
      const { createLocalJWKSet } = await import('jose');
      const set = (await fetchKeys(options, deps.fetch)) as unknown as JSONWebKeySet;
      const text = JSON.stringify(set);
      const changed = keys !== null && keys.text !== text;
      keys = { find: createLocalJWKSet(set), text, at: now() };
      if (changed) deps.onChange();
      log.info('keys of issuer read', { issuer, keys: set.keys.length });
    } catch (error) {
      log.error('keys of issuer cannot be read', { issuer, reason: (error as Error).message });
    }
  }

  /** One question at a time, and none within the pause after the last. */
  const refresh = (pauseMs: number): Promise<void> => {
    if (!asking && now() - askedAt < pauseMs) return Promise.resolve();
    asking ??= ask().finally(() => {
      asking = null;
    });
    return asking;
  };

  return {
    async find(header, token) {
      if (!keys || now() - keys.at > USABLE_MS) await refresh(PAUSE_WITHOUT_KEYS_MS);
      if (!keys || now() - keys.at > USABLE_MS) throw unavailable();
      // Nobody waits for what is only a little old.
      if (now() - keys.at > FRESH_MS) void refresh(PAUSE_MS);
      const { find, text } = keys;
      try {
        return await find(header, token);
      } catch (error) {
        if ((error as { code?: string }).code !== 'ERR_JWKS_NO_MATCHING_KEY') throw error;
        await refresh(PAUSE_MS);
        if (keys.text === text) throw error;
        return keys.find(header, token);
      }
    },
  };
}
