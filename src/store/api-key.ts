// API keys: `wbx_<id>_<secret>`. The id finds the key, the secret (32 random bytes) proves it. What is kept is a salted
// hash: the secret is shown once and cannot be found again. A plain hash is enough, since nobody can guess 256 bits.

import { hash as digestOf, randomBytes, timingSafeEqual } from 'node:crypto';

const FORMAT = /^wbx_([0-9a-f]{16})_([A-Za-z0-9_-]{43})$/;

export interface NewKey {
  readonly text: string;
  readonly id: string;
  readonly salt: string;
  readonly hash: string;
  /** Enough to tell one's keys apart, too little to help anybody else. */
  readonly lastFour: string;
}

export function makeKey(): NewKey {
  const id = randomBytes(8).toString('hex');
  const secret = randomBytes(32).toString('base64url');
  const salt = randomBytes(16).toString('base64url');
  const hash = digest(salt, secret).toString('base64url');
  return { text: `wbx_${id}_${secret}`, id, salt, hash, lastFour: secret.slice(-4) };
}

export function readKey(text: string): { readonly id: string; readonly secret: string } | null {
  const [, id, secret] = FORMAT.exec(text) ?? [];
  return id === undefined || secret === undefined ? null : { id, secret };
}

/** In a time that depends on nothing that was given. */
export function isSecretOf(secret: string, { salt, hash }: Pick<NewKey, 'salt' | 'hash'>): boolean {
  return timingSafeEqual(digest(salt, secret), Buffer.from(hash, 'base64url'));
}

function digest(salt: string, secret: string): Buffer {
  return digestOf('sha256', `${salt}.${secret}`, 'buffer');
}
