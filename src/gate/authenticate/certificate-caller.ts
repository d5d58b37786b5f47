// Callers who prove themselves with a client certificate. The transport has checked the chain and the private key.
// A renewed certificate is another caller with the same name: rules go by the name, sessions end with the old one.

import type { Caller } from '../../core/caller.ts';
import type { ClientCertificate } from '../../core/credentials.ts';

const MAX_NAME = 255;

/** Null for a certificate that names nobody, or not in a way that could be written down. */
export function certificateCaller(
  { fingerprint, name, units, expiresAt }: ClientCertificate,
  address: string | null,
): Caller | null {
  if (name === '' || name.length > MAX_NAME || !isPlain(name)) return null;
  return {
    id: `certificate:${fingerprint}:${name}`,
    kind: 'certificate',
    name,
    scopes: [],
    groups: units.filter((unit) => unit !== '' && unit.length <= MAX_NAME && isPlain(unit)),
    address,
    expiresAt,
  };
}

function isPlain(text: string): boolean {
  return !/\p{C}/u.test(text);
}
