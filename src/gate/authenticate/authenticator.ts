// Who is calling: from what a request brings along to a Caller, or a refusal that says how to prove it. A credential in
// a header speaks before a certificate; two of them in one request are refused, since nobody could say which was meant.
// Where nothing is configured, everybody is the same caller.

import { ANYBODY, type Caller } from '../../core/caller.ts';
import type { Credentials } from '../../core/credentials.ts';
import type { JsonObject } from '../../core/json.ts';
import { Refusal } from '../../core/refusal.ts';
import type { KeyStore } from '../../store/keys.ts';
import { createAddressed } from './addressed.ts';
import { certificateCaller } from './certificate-caller.ts';
import { type Challenges, createChallenges, unavailable } from './challenge.ts';
import { createFailedAttempts, type FailureDeps } from './failed-attempts.ts';
import { keyCaller, keyIdOf } from './key-callers.ts';
import { METADATA_PATH, resourceMetadata } from './metadata.ts';
import { type AuthenticatorOptions, checkOptions } from './options.ts';
import { createTokens, type Tokens } from './tokens.ts';

export interface Authenticator {
  /** Throws a Refusal: 400, 401, 403, 429, or 503 when tokens cannot be checked. */
  authenticate(credentials: Credentials): Caller | Promise<Caller>;
  /** Throws the 401 if what the caller once proved no longer holds. */
  check(caller: Caller): void;
  /** RFC 9728, for the resource at this path below the public address; null where no tokens are taken. */
  metadata(path: string): JsonObject | null;
  /** Whether anybody has to prove anything. */
  readonly required: boolean;
  /** Throws `authentication-invalid` and changes nothing if the options cannot be used. */
  reconfigure(options: AuthenticatorOptions): void;
}

export interface AuthenticatorDeps extends FailureDeps {
  readonly keys: Pick<KeyStore, 'prove' | 'find'>;
  readonly now?: () => number;
  readonly fetch?: typeof fetch;
}

interface State {
  readonly options: AuthenticatorOptions;
  readonly challenges: Challenges;
  readonly tokens: Tokens | null;
  readonly required: boolean;
}

export function createAuthenticator(initial: AuthenticatorOptions, deps: AuthenticatorDeps): Authenticator {
  const now = deps.now ?? Date.now;
  const attempts = createFailedAttempts(deps);
  const callerOfKey = createAddressed(keyCaller);
  const callerOfToken = createAddressed((known: Caller, address) => ({ ...known, address }));
  let state = prepare(initial);

  function prepare(options: AuthenticatorOptions): State {
    checkOptions(options);
    const { oauth, publicUrl, keys, certificates } = options;
    const challenges = createChallenges({
      metadataUrl: oauth.length > 0 && publicUrl !== null ? new URL(METADATA_PATH, publicUrl).href : null,
      scopes: [...new Set(oauth.flatMap(({ scopes }) => scopes))],
    });
    const tokens =
      oauth.length > 0 && publicUrl !== null
        ? createTokens(oauth, publicUrl, challenges, { log: deps.log, now, fetch: deps.fetch ?? fetch })
        : null;
    return { options, challenges, tokens, required: keys || certificates || tokens !== null };
  }

  const failed = (address: string | null, refusal: Refusal): Refusal => {
    const wait = attempts.add(address, refusal);
    return wait > 0 ? state.challenges.tooManyFailures(wait) : refusal;
  };
  const refused = (): Refusal =>
    state.challenges.unauthenticated('the credential is not accepted', 'The credential is not accepted');
  const expired = (): Refusal =>
    state.challenges.unauthenticated('the credential has expired', 'The credential has expired');

  /** A file of keys that cannot be read is the operator's to know, not the caller's. */
  const looking = <T>(look: () => T): T => {
    try {
      return look();
    } catch (error) {
      deps.log.error('keys cannot be read', { reason: (error as Error).message });
      throw unavailable();
    }
  };
  const byKey = (text: string, address: string | null): Caller => {
    const key = looking(() => deps.keys.prove(text));
    if (!key || !state.options.keys) throw failed(address, refused());
    const caller = callerOfKey(key, address);
    if (isOver(caller)) throw failed(address, expired());
    return caller;
  };
  const isOver = ({ expiresAt }: Caller): boolean => expiresAt !== null && expiresAt <= now();

  const byToken = async (token: string, credentials: Credentials): Promise<Caller> => {
    const { address, certificate } = credentials;
    if (!state.tokens) throw failed(address, refused());
    try {
      return { ...(await state.tokens.verify(token, certificate)), address };
    } catch (error) {
      // A good token without a scope is no failed attempt, and neither is an issuer that cannot be reached.
      throw error instanceof Refusal && error.code === 'unauthenticated' ? failed(address, error) : error;
    }
  };

  return {
    get required() {
      return state.required;
    },
    authenticate(credentials) {
      const { headers, address, certificate, encrypted } = credentials;
      if (!state.required) return { ...ANYBODY, address };
      const { authorization, 'x-api-key': apiKey } = headers;
      if (authorization === undefined && apiKey === undefined) {
        const caller =
          certificate && state.options.certificates ? certificateCaller(certificate, address) : null;
        if (caller && !isOver(caller)) return caller;
        throw state.challenges.unauthenticated('no credential was sent');
      }
      if (!encrypted && state.options.insecurePlainHttp !== true) throw state.challenges.plainHttp();
      if (authorization !== undefined && apiKey !== undefined) throw state.challenges.tooManyCredentials();
      if (apiKey !== undefined) return byKey(apiKey, address);
      const token = bearer(authorization ?? '');
      if (token === null) throw failed(address, refused());
      if (token.startsWith('wbx_')) return byKey(token, address);
      const known = state.tokens?.known(token, certificate);
      return known ? callerOfToken(known, address) : byToken(token, credentials);
    },
    check(caller) {
      if (!looking(() => isTaken(state, caller, deps.keys))) throw refused();
      if (isOver(caller)) throw expired();
    },
    metadata: (path) =>
      state.tokens && state.options.publicUrl !== null
        ? resourceMetadata(state.options.publicUrl, path, state.options.oauth)
        : null,
    reconfigure(options) {
      state = prepare(options);
    },
  };
}

/** Whether this way of proving is still open to this caller. */
function isTaken({ options, required }: State, caller: Caller, keys: AuthenticatorDeps['keys']): boolean {
  switch (caller.kind) {
    case 'anybody':
      return !required;
    case 'local':
      return true;
    case 'key':
      return options.keys && keys.find(keyIdOf(caller)) !== undefined;
    case 'certificate':
      return options.certificates;
    case 'subject':
      return options.oauth.some(({ issuer }) => caller.id.startsWith(`subject:${issuer}#`));
  }
}

/** RFC 6750, section 2.1; the name of the scheme is not case-sensitive (RFC 9110, section 11.1). */
function bearer(authorization: string): string | null {
  return /^bearer +([A-Za-z0-9\-._~+/]{1,16384}=*)$/i.exec(authorization)?.[1] ?? null;
}
