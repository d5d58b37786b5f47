// Access tokens as JWT (RFC 9068, RFC 8725): made by a configured issuer, for this server, signed by one of its keys
// with an allowed algorithm, and valid now. What was checked is remembered for a minute, by the token's digest, since a
// signature costs more than the rest of a request.

import { hash } from 'node:crypto';
import type { JWTPayload } from 'jose';
import type { Caller } from '../../core/caller.ts';
import type { ClientCertificate } from '../../core/credentials.ts';
import type { OAuthOptions } from '../options.ts';
import type { Challenges } from './challenge.ts';
import { isForUs, readSubject, type Subject, scopesOf } from './claims.ts';
import { createIssuerKeys, type IssuerDeps, type IssuerKeys } from './issuer-keys.ts';
import { audiences } from './metadata.ts';

export interface Tokens {
  /** What was checked a moment ago. */
  known(token: string, certificate: ClientCertificate | null): Caller | undefined;
  verify(token: string, certificate: ClientCertificate | null): Promise<Caller>;
}

interface Issuer {
  readonly options: OAuthOptions;
  readonly audiences: ReadonlySet<string>;
  readonly keys: IssuerKeys;
}

interface Remembered {
  readonly subject: Subject;
  readonly until: number;
}

const SKEW_MS = 30_000;
const REMEMBER_MS = 60_000;
const MAX_REMEMBERED = 4_096;
/** Others, such as those of logout or DPoP, are no access tokens (RFC 8725, section 3.11). */
const TYPES: ReadonlySet<string> = new Set(['at+jwt', 'application/at+jwt', 'jwt', 'application/jwt']);

export function createTokens(
  oauth: readonly OAuthOptions[],
  publicUrl: string,
  challenges: Challenges,
  deps: Omit<IssuerDeps, 'onChange'>,
): Tokens {
  const { now } = deps;
  const remembered = new Map<string, Remembered>();
  const onChange = (): void => remembered.clear();
  const issuers = new Map(
    oauth.map((options): [string, Issuer] => [
      options.issuer,
      {
        options,
        audiences: audiences(publicUrl, options),
        keys: createIssuerKeys(options, { ...deps, onChange }),
      },
    ]),
  );
  const invalid = (description: string): Error =>
    challenges.unauthenticated('the access token is not accepted', description);

  async function verified(token: string): Promise<{ payload: JWTPayload; issuer: Issuer }> {
    const { decodeJwt, errors, jwtVerify } = await import('jose');
    let issuer: Issuer | undefined;
    try {
      issuer = issuers.get(decodeJwt(token).iss ?? '');
      if (!issuer) throw invalid('The access token is not valid');
      const { payload, protectedHeader } = await jwtVerify(token, issuer.keys.find, {
        issuer: issuer.options.issuer,
        algorithms: [...issuer.options.algorithms],
        requiredClaims: ['sub', 'exp'],
        clockTolerance: SKEW_MS / 1_000,
        currentDate: new Date(now()),
      });
      const { typ } = protectedHeader;
      if (typ !== undefined && !TYPES.has(typ.toLowerCase())) throw invalid('The token is no access token');
      return { payload, issuer };
    } catch (error) {
      // The signature was good by then, so whoever sent it had it from the issuer and may know.
      if (error instanceof errors.JWTExpired) throw invalid('The access token expired');
      if (error instanceof errors.JOSEError || error instanceof TypeError)
        throw invalid('The access token is not valid');
      throw error;
    }
  }

  const remember = (digest: string, subject: Subject): void => {
    if (remembered.size >= MAX_REMEMBERED) remembered.delete(remembered.keys().next().value!);
    const until = Math.min(subject.caller.expiresAt ?? 0, now() + REMEMBER_MS);
    remembered.set(digest, { subject, until });
  };

  return {
    known(token, certificate) {
      const digest = digestOf(token);
      const found = remembered.get(digest);
      if (!found) return undefined;
      if (found.until > now() && isHeldBy(found.subject, certificate)) return found.subject.caller;
      remembered.delete(digest);
      return undefined;
    },
    async verify(token, certificate) {
      const { payload, issuer } = await verified(token);
      if (!isForUs(payload, issuer.audiences)) throw invalid('The access token is for another audience');
      const subject = readSubject(payload, issuer.options, SKEW_MS);
      if (!subject || !isHeldBy(subject, certificate)) throw invalid('The access token is not valid');
      const has = new Set(scopesOf(payload));
      if (!issuer.options.scopes.every((scope) => has.has(scope)))
        throw challenges.insufficientScope(issuer.options.scopes);
      remember(digestOf(token), subject);
      return subject.caller;
    },
  };
}

/** A token bound to a certificate is worth nothing without it (RFC 8705, section 3). */
function isHeldBy({ boundTo }: Subject, certificate: ClientCertificate | null): boolean {
  return boundTo === null || boundTo === certificate?.fingerprint;
}

function digestOf(token: string): string {
  return hash('sha256', token, 'base64url');
}
