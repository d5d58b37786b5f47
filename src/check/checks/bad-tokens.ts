// Tokens that no server may accept, made to look as right as possible: issuer, audience and scopes are those that the
// server publishes, only the proof is missing. None of them is ever worth anything anywhere.

import { generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { isObject, type JsonObject } from '../message.ts';

export interface BadToken {
  readonly what: string;
  readonly token: string;
}

export interface TokenFacts {
  /** Protected resource metadata (RFC 9728), where there is any. */
  readonly metadata: JsonObject | null;
  readonly resource: string;
  /** The token of the caller, if it has one: what is changed in it must make it worthless. */
  readonly own: string | undefined;
}

const HOUR = 3_600;

export function forgeTokens({ metadata, resource, own }: TokenFacts): readonly BadToken[] {
  const now = Math.floor(Date.now() / 1_000);
  const issuers = Array.isArray(metadata?.authorization_servers) ? metadata.authorization_servers : [];
  const scopes = Array.isArray(metadata?.scopes_supported) ? metadata.scopes_supported : [];
  const claims: JsonObject = {
    iss: typeof issuers[0] === 'string' ? issuers[0] : new URL(resource).origin,
    aud: typeof metadata?.resource === 'string' ? metadata.resource : resource,
    sub: 'witbox-check',
    client_id: 'witbox-check',
    scope: scopes.filter((one) => typeof one === 'string').join(' '),
    iat: now,
    exp: now + HOUR,
    jti: randomUUID(),
  };
  return [
    { what: 'a token of random characters', token: randomUUID() },
    { what: 'an unsigned token (alg none)', token: unsigned(claims) },
    { what: 'a token signed with a key of the checker', token: signed(claims) },
    {
      what: 'an expired token signed with a key of the checker',
      token: signed({ ...claims, iat: now - 2 * HOUR, exp: now - HOUR }),
    },
    {
      what: 'a token for another audience signed with a key of the checker',
      token: signed({ ...claims, aud: 'https://witbox-check.invalid/' }),
    },
    ...changed(own),
  ];
}

/** A real token whose words were changed after it was signed. */
function changed(own: string | undefined): BadToken[] {
  const [head, body, proof] = own?.split('.') ?? [];
  const payload = readPart(body);
  if (head === undefined || proof === undefined || payload === null) return [];
  const aud = 'https://witbox-check.invalid/';
  return [
    {
      what: 'the token of the caller with another audience written into it',
      token: `${head}.${part({ ...payload, aud })}.${proof}`,
    },
    {
      what: 'the token of the caller with another subject written into it',
      token: `${head}.${part({ ...payload, sub: 'witbox-check' })}.${proof}`,
    },
    { what: 'the token of the caller without its signature (alg none)', token: unsigned(payload) },
  ];
}

const part = (value: JsonObject): string => Buffer.from(JSON.stringify(value)).toString('base64url');

const unsigned = (claims: JsonObject): string => `${part({ alg: 'none', typ: 'at+jwt' })}.${part(claims)}.`;

function signed(claims: JsonObject): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const text = `${part({ alg: 'ES256', typ: 'at+jwt', kid: 'witbox-check' })}.${part(claims)}`;
  const proof = sign('sha256', Buffer.from(text), { key: privateKey, dsaEncoding: 'ieee-p1363' });
  return `${text}.${proof.toString('base64url')}`;
}

function readPart(text: string | undefined): JsonObject | null {
  try {
    const value: unknown = JSON.parse(Buffer.from(text ?? '', 'base64url').toString('utf8'));
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}
