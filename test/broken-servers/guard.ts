// Authorization for the small server, as an OAuth resource server does it: tokens are signed by an authorization server
// whose key is made here, and are looked at for signature, expiry and audience. Each of the three can be left out.

import { generateKeyPairSync, randomUUID, sign, verify } from 'node:crypto';
import type { Json } from './server.ts';

export interface GuardFault {
  readonly ignoresSignature?: boolean;
  readonly ignoresAudience?: boolean;
}

const ISSUER = 'https://issuer.example';
const HERE = 'https://server.example/mcp';
const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });

export const METADATA = { resource: HERE, authorization_servers: [ISSUER], scopes_supported: ['mcp'] };

const part = (value: Json): string => Buffer.from(JSON.stringify(value)).toString('base64url');

export function issueToken(subject: string, audience = HERE): string {
  const now = Math.floor(Date.now() / 1_000);
  const claims = { iss: ISSUER, aud: audience, sub: subject, exp: now + 600, jti: randomUUID() };
  const text = `${part({ alg: 'ES256', typ: 'at+jwt' })}.${part(claims)}`;
  const proof = sign('sha256', Buffer.from(text), { key: privateKey, dsaEncoding: 'ieee-p1363' });
  return `${text}.${proof.toString('base64url')}`;
}

/** Who the token speaks for, or null. */
export function subjectOf(header: string | undefined, fault: GuardFault): string | null {
  const [head = '', body = '', proof = ''] = (header ?? '').replace(/^Bearer /, '').split('.');
  const key = { key: publicKey, dsaEncoding: 'ieee-p1363' as const };
  const signature = Buffer.from(proof, 'base64url');
  const isSigned = fault.ignoresSignature || verify('sha256', Buffer.from(`${head}.${body}`), key, signature);
  if (!isSigned) return null;
  try {
    const { aud, exp, sub } = JSON.parse(Buffer.from(body, 'base64url').toString('utf8')) as Json;
    if (Number(exp) * 1_000 < Date.now() || (aud !== HERE && !fault.ignoresAudience)) return null;
    return String(sub);
  } catch {
    return null;
  }
}
