// A person's consent by OAuth, on what the official client has: discovery, registration, PKCE, issuer checks, step-up.
// Here is only what it cannot know: where to send the person, what came back, and what to remember. Credentials stay in
// memory, apart for every authorization server, and end with the process, unless somebody is given to keep them.

import { randomBytes, timingSafeEqual } from 'node:crypto';
import type {
  OAuthClientInformation,
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client';
import { WitboxError } from '../core/errors.ts';
import type { Credentials } from './credentials.ts';

export interface ConsentOptions {
  readonly clientName: string;
  readonly redirectUrl: string;
  /** Sends the person there, and gives the query with which they came back to `redirectUrl`. */
  visit(address: URL): Promise<URLSearchParams>;
  /** For authorization servers that take a document instead of a registration. */
  readonly clientMetadataUrl?: string;
  /** For clients that were registered beforehand. */
  readonly client?: OAuthClientInformation;
  /** What was kept of an earlier time; worthless if people came back to another address then. */
  readonly kept?: Credentials | undefined;
  /** Called with all there is whenever it has changed. */
  keep?(credentials: Credentials): Promise<void>;
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
  const { redirectUrl } = options;
  const kept = options.kept?.redirectUrl === redirectUrl ? options.kept : undefined;
  const clients = new Map<string, StoredOAuthClientInformation>(kept?.clients);
  const tokens = new Map<string, StoredOAuthTokens>(kept?.tokens);
  let latest = kept?.latest;
  let verifier = '';
  let discovered: OAuthDiscoveryState | undefined;
  let isAway = false;
  let visits = 0;
  let state = '';
  let visit: Promise<URLSearchParams> | undefined;

  const changed = async (): Promise<void> => options.keep?.({ redirectUrl, clients, tokens, latest });

  const provider: OAuthClientProvider = {
    redirectUrl,
    ...(options.clientMetadataUrl !== undefined && { clientMetadataUrl: options.clientMetadataUrl }),
    clientMetadata: {
      client_name: options.clientName,
      redirect_uris: [redirectUrl],
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
      return changed();
    },
    tokens: (context) => tokens.get(context?.issuer ?? latest ?? ''),
    saveTokens(saved, context) {
      isAway = false;
      latest = context?.issuer ?? '';
      tokens.set(latest, saved);
      return changed();
    },
    redirectToAuthorization(address) {
      if (++visits > MAX_VISITS) {
        const reason = `consent was given ${MAX_VISITS} times and did not help`;
        throw new WitboxError('server-unauthorized', { server: address.origin, reason });
      }
      isAway = true;
      visit = options.visit(address);
      // Whoever asks for it hears of a failure; until then it is not an unhandled one.
      visit.catch(() => {});
    },
    saveCodeVerifier(saved) {
      verifier = saved;
    },
    codeVerifier: () => verifier,
    // Only the authorization server that the person was sent to may answer for them (SEP-2352). Beyond that nothing is
    // held on to, since a server may move to another.
    saveDiscoveryState(found) {
      discovered = found;
    },
    discoveryState: () => (isAway ? discovered : undefined),
    invalidateCredentials(scope) {
      if (scope === 'all' || scope === 'client') clients.clear();
      if (scope === 'all' || scope === 'tokens') {
        tokens.clear();
        latest = undefined;
      }
      if (scope === 'all' || scope === 'verifier') verifier = '';
      if (scope === 'all' || scope === 'discovery') discovered = undefined;
      return changed();
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
