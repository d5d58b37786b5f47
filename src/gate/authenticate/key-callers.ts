// Callers who prove themselves with an API key. Unknown, wrong and revoked keys are all the same answer.

import type { Caller } from '../../core/caller.ts';
import type { StoredKey } from '../../store/keys-file.ts';

export function keyCaller(key: StoredKey, address: string | null): Caller {
  return {
    // A name given again after a revocation is another caller: names have no colon.
    id: `key:${key.name}:${key.id}`,
    kind: 'key',
    name: key.name,
    scopes: key.scopes,
    groups: key.groups,
    address,
    expiresAt: key.expiresAt === null ? null : Date.parse(key.expiresAt),
  };
}

export function keyIdOf({ id }: Caller): string {
  return id.slice(id.lastIndexOf(':') + 1);
}
