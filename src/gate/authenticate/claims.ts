// What a verified token says about its subject. Everything in it was written by the issuer, which the operator trusts,
// from what its users may have chosen themselves: bounded, and taken only in the shape that is expected.

import type { JWTPayload } from 'jose';
import type { Caller } from '../../core/caller.ts';
import type { OAuthOptions } from '../options.ts';
import { bare } from './metadata.ts';

export interface Subject {
  /** Without an address: the same token may come from several. */
  readonly caller: Caller;
  /** The fingerprint of the certificate that must come with it, in hexadecimal. */
  readonly boundTo: string | null;
}

const MAX_NAME = 255;
const MAX_LIST = 256;

/** RFC 8707: one of the audiences must be this server. */
export function isForUs({ aud }: JWTPayload, ours: ReadonlySet<string>): boolean {
  return texts(aud).some((one) => ours.has(bare(one)));
}

/** As `scope` in one text (RFC 9068) or as `scp`, which some issuers write instead. */
export function scopesOf({ scope, scp }: JWTPayload): readonly string[] {
  const words = [...texts(scope), ...texts(scp)].flatMap((text) => text.split(' ').slice(0, MAX_LIST));
  return [...new Set(words.filter((word) => word !== ''))].slice(0, MAX_LIST);
}

/** Null for a token that names nobody, or is bound to a proof that is not understood here. */
export function readSubject(
  payload: JWTPayload,
  { issuer, groupsClaim }: OAuthOptions,
  skewMs: number,
): Subject | null {
  const { sub, exp } = payload;
  if (typeof sub !== 'string' || !isName(sub) || exp === undefined) return null;
  const boundTo = boundCertificate(payload.cnf);
  if (boundTo === undefined) return null;
  const groups = Object.hasOwn(payload, groupsClaim) ? texts(payload[groupsClaim]) : [];
  const caller: Caller = {
    // An issuer has no fragment (RFC 8414, section 2), so that one subject cannot pass for another.
    id: `subject:${issuer}#${sub}`,
    kind: 'subject',
    name: sub,
    scopes: scopesOf(payload),
    groups: groups.filter(isName),
    address: null,
    expiresAt: exp * 1_000 + skewMs,
  };
  return { caller, boundTo };
}

/** Undefined: bound to something that cannot be checked here, such as a DPoP key; such a token is no bearer token. */
function boundCertificate(cnf: unknown): string | null | undefined {
  if (cnf === undefined) return null;
  const thumbprint = (cnf as Readonly<Record<string, unknown>> | null)?.['x5t#S256'];
  return typeof thumbprint === 'string' ? Buffer.from(thumbprint, 'base64url').toString('hex') : undefined;
}

function texts(value: unknown): readonly string[] {
  const list: readonly unknown[] = Array.isArray(value) ? value.slice(0, MAX_LIST) : [value];
  return list.filter((one) => typeof one === 'string');
}

function isName(text: string): boolean {
  return text !== '' && text.length <= MAX_NAME && !/\p{C}/u.test(text);
}
