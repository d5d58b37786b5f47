// Who is calling, as far as it is proven. Made at the door of a transport, carried by every request, and asked by
// everything that decides, counts or records. Plain data: nothing in it is a secret.

export interface Caller {
  /** Unique among all callers and stable over time: what sessions, limits and audit lines go by. */
  readonly id: string;
  /** How they proved it: not at all, by being on the other side of our own pipe, or by a credential. */
  readonly kind: 'anybody' | 'local' | 'key' | 'subject' | 'certificate';
  /** What rules call them: the key's name, the token's subject, the certificate's name. */
  readonly name: string;
  readonly scopes: readonly string[];
  readonly groups: readonly string[];
  /** Where the request came from; null on pipes. */
  readonly address: string | null;
  /** When the proof ends, in milliseconds since 1970; null if it does not. */
  readonly expiresAt: number | null;
}

const nobody = (id: 'anybody' | 'local' | 'witbox', kind: 'anybody' | 'local'): Caller =>
  Object.freeze({ id, kind, name: id, scopes: [], groups: [], address: null, expiresAt: null });

/** Everybody who did not prove who they are: one and the same caller. */
export const ANYBODY: Caller = nobody('anybody', 'anybody');

/** Whoever started this process and holds its pipes. */
export const LOCAL: Caller = nobody('local', 'local');

/** Witbox itself, when it asks a component to describe itself. */
export const WITBOX: Caller = nobody('witbox', 'local');
