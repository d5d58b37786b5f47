// What can be asked of a policy. Hosts and addresses may come in any spelling; paths must be absolute and resolved by
// the caller, links included, because a policy never looks at the disk.

import type { Access, NamedSection } from './policy.ts';

export interface StorageRequest {
  readonly kind: 'storage';
  readonly path: string;
  readonly access: Access;
}

export interface NetworkRequest {
  readonly kind: 'network';
  readonly host: string;
  /** Left out: any; a name lookup asks so. */
  readonly scheme?: string | null;
  readonly port?: number | null;
  /** The address about to be connected to. Without it only the name is decided: ask again when it is known. */
  readonly address?: string | null;
}

export interface NamedRequest {
  readonly kind: NamedSection;
  readonly name: string;
}

/** Whether a secret is sent anywhere for the component. */
export interface SecretRequest {
  readonly kind: 'secret';
  readonly name: string;
}

export type PolicyRequest = StorageRequest | NetworkRequest | NamedRequest | SecretRequest;
