// Checks what an operator says about authentication, once, before anybody is let in by it.

import { WitboxError } from '../../core/errors.ts';
import type { AuthenticationOptions, OAuthOptions } from '../options.ts';

export interface AuthenticatorOptions extends AuthenticationOptions {
  /** What clients call this server, without a path: its identifier for OAuth. Needed for `oauth`. */
  readonly publicUrl: string | null;
  /** Take credentials that anybody on the way could have read. */
  readonly insecurePlainHttp?: boolean;
}

/** Signatures that only the issuer can make. `none` and secrets shared with others are not among them. */
const ALGORITHMS = /^(?:(?:RS|PS|ES)(?:256|384|512)|EdDSA|Ed25519)$/;

export function checkOptions({ oauth, publicUrl }: AuthenticatorOptions): void {
  if (publicUrl !== null) checkAddress('public-url', publicUrl);
  if (publicUrl !== null && new URL(publicUrl).pathname !== '/')
    throw invalid(`public-url "${publicUrl}" must be without a path`);
  if (oauth.length > 0 && publicUrl === null)
    throw invalid('oauth needs listen.public-url, the address that clients use for this server');
  for (const one of oauth) checkIssuer(one);
  if (new Set(oauth.map(({ issuer }) => issuer)).size < oauth.length)
    throw invalid('an issuer is there twice');
}

function checkIssuer({ issuer, jwks, algorithms, scopes }: OAuthOptions): void {
  checkAddress('issuer', issuer);
  if (jwks !== undefined) checkAddress('jwks', jwks);
  const wrong = algorithms.find((name) => !ALGORITHMS.test(name));
  if (wrong !== undefined) throw invalid(`algorithm "${wrong}" of "${issuer}" proves nothing`);
  if (algorithms.length === 0) throw invalid(`"${issuer}" has no algorithms`);
  const scope = scopes.find((one) => !/^[\x21\x23-\x5b\x5d-\x7e]+$/.test(one));
  if (scope !== undefined) throw invalid(`"${scope}" cannot be a scope`);
}

/** Keys and tokens over plain HTTP could be anybody's; on this machine alone they cannot. */
function checkAddress(what: string, text: string): void {
  const url = URL.parse(text);
  if (url === null) throw invalid(`${what} "${text}" is no address`);
  if (text.includes('#') || url.search !== '' || url.username !== '')
    throw invalid(`${what} "${text}" is no address that could be used`);
  if (/["\\\s]/.test(text)) throw invalid(`${what} "${text}" has characters that no address has`);
  const isLocal = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLocal))
    throw invalid(`${what} "${text}" must begin with https://`);
}

function invalid(problem: string): WitboxError {
  return new WitboxError('authentication-invalid', { problem });
}
