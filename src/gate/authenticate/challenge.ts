// The answers to those who did not prove who they are: status, words, and the challenge that says how to do it
// (RFC 6750, section 3; RFC 9728, section 5.1). They tell only what the caller knew before.

import { Refusal } from '../../core/refusal.ts';

export interface Challenges {
  /** No credential, or one that is not accepted. `invalid` says what is wrong with the one that was sent. */
  unauthenticated(reason: string, invalid?: string): Refusal;
  /** A token that is good, without a scope that is needed. */
  insufficientScope(scopes: readonly string[]): Refusal;
  tooManyCredentials(): Refusal;
  tooManyFailures(waitMs: number): Refusal;
  plainHttp(): Refusal;
}

export interface ChallengeOptions {
  /** Where the metadata of this resource is, if it takes tokens at all. */
  readonly metadataUrl: string | null;
  /** What a client should ask its authorization server for. */
  readonly scopes: readonly string[];
}

export function createChallenges({ metadataUrl, scopes }: ChallengeOptions): Challenges {
  const challenge = (parameters: Readonly<Record<string, string>>): Readonly<Record<string, string>> => {
    const all = {
      ...(metadataUrl === null ? { realm: 'witbox' } : { resource_metadata: metadataUrl }),
      ...parameters,
    };
    const text = Object.entries(all).map(([name, value]) => `${name}="${value}"`);
    return { 'WWW-Authenticate': `Bearer ${text.join(', ')}` };
  };
  const wanted: Readonly<Record<string, string>> =
    metadataUrl !== null && scopes.length > 0 ? { scope: scopes.join(' ') } : {};

  return {
    unauthenticated(reason, invalid) {
      const error: Record<string, string> =
        invalid === undefined ? {} : { error: 'invalid_token', error_description: invalid };
      return new Refusal('unauthenticated', { reason }, challenge({ ...error, ...wanted }));
    },
    insufficientScope(needed) {
      const scope = needed.join(' ');
      const headers = challenge({ error: 'insufficient_scope', scope });
      return new Refusal('insufficient-scope', { scopes: scope }, headers);
    },
    tooManyCredentials: () =>
      new Refusal('too-many-credentials', {}, challenge({ error: 'invalid_request' })),
    tooManyFailures: (waitMs) =>
      new Refusal('too-many-failures', {}, { 'Retry-After': `${Math.max(1, Math.ceil(waitMs / 1_000))}` }),
    plainHttp: () => new Refusal('plain-http', {}, {}),
  };
}

/** Nothing is known about the credential: keys or issuers cannot be read. The log has the reason. */
export function unavailable(): Refusal {
  return new Refusal('authentication-unavailable', {}, { 'Retry-After': '5' });
}
