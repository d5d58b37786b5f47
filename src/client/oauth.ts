// A person's consent by OAuth, on what the official client has: discovery, registration, PKCE, issuer checks, step-up.
// Here is only what it cannot know: where to send the person, what came back, and what to remember. Credentials stay in
// memory, apart for every authorization server, and end with the process.

import { randomBytes, timingSafeEqual } from 'node:crypto';
import type {
  OAuthClientInformation,
  OAuthClientProvider,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client';
import { WitboxError } from '../core/errors.ts';

export interface ConsentOptions {
  readonly clientName: string;
  readonly redirectUrl: string;
  /** Sends the person there, and gives the query with which they came back to `redirectUrl`. */
  visit(address: URL): Promise<URLSearchParams>;
  /** For authorization servers that take a document instead of a registration. */
  readonly clientMetadataUrl?: string;
  /** For clients that were registered beforehand. */
  readonly client?: OAuthClientInformation;
}

export interface Consent {
  readonly provider: OAuthClientProvider;
  /** What the last visit brought; rejects if it does not belong to the visit that was asked for. */
  returned(): Promise<URLSearchParams>;
  /** Something was done with what was consented to: the person may be asked again. */
  helped(): void;
}

/** So often in a row is a person asked: a server that is never content must not send them round for ever. */
const MAX_VISITS = 3;

export function createConsent(options: ConsentOptions): Consent {
  const clients = new Map<string, StoredOAuthClientInformation>();
  const tokens = new Map<string, StoredOAuthTokens>();
  let latest: StoredOAuthTokens | undefined;
  let verifier = '';
  let visits = 0;
  let state = '';
  let visit: Promise<URLSearchParams> | undefined;

  const provider: OAuthClientProvider = {
    redirectUrl: options.redirectUrl,
    ...(options.clientMetadataUrl !== undefined && { clientMetadataUrl: options.clientMetadataUrl }),
    clientMetadata: {
      client_name: options.clientName,
      redirect_uris: [options.redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
    },
    state() {
      state = randomBytes(32).toString('base64url');
      return state;
    },
    clientInformation: (context) => options.client ?? clients.get(context?.issuer ?? ''),
    saveClientInformation(information, context) {
      clients.set(context?.issuer ?? '', information);
    },
    tokens: (context) => (context ? tokens.get(context.issuer) : latest),
    saveTokens(saved, context) {
      tokens.set(context?.issuer ?? '', saved);
      latest = saved;
    },
    redirectToAuthorization(address) {
      if (++visits > MAX_VISITS) {
        const reason = `consent was given ${MAX_VISITS} times and did not help`;
        throw new WitboxError('server-unauthorized', { server: address.origin, reason });
      }
      visit = options.visit(address);
      // Whoever asks for it hears of a failure; until then it is not an unhandled one.
      visit.catch(() => {});
    },
    saveCodeVerifier(saved) {
      verifier = saved;
    },
    codeVerifier: () => verifier,
    invalidateCredentials(scope) {
      if (scope === 'all' || scope === 'client') clients.clear();
      if (scope === 'all' || scope === 'tokens') {
        tokens.clear();
        latest = undefined;
      }
      if (scope === 'all' || scope === 'verifier') verifier = '';
    },
  };

  return {
    provider,
    helped() {
      visits = 0;
    },
    async returned() {
      if (visit === undefined) throw new Error('nobody was sent to the authorization server');
      const query = await visit;
      visit = undefined;
      if (!same(query.get('state') ?? '', state)) throw new Error('what came back belongs to another visit');
      return query;
    },
  };
}

function same(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
