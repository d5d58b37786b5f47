// Who may hold something open: at most so many sessions of all callers and of one, and only as long as what they once
// proved still holds.

import type { Caller } from '../core/caller.ts';
import { WitboxError } from '../core/errors.ts';
import { Refusal } from '../core/refusal.ts';

export interface Door {
  /** Throws if this caller may not open one more session. */
  enter(caller: Caller): void;
  /** Whether what the caller once proved still holds. */
  holds(caller: Caller): boolean;
}

export interface Quotas {
  /** Sessions, legacy streams and WebSockets of one caller; null: no such limit. */
  readonly sessionsPerCaller: number | null;
  /** Open sockets of one address. */
  readonly connectionsPerAddress: number | null;
}

/** A transport, as far as it holds sessions. */
interface Holder {
  readonly size: number;
  sizeOf(callerId: string): number;
  /** Ends what the caller does not use, if there is such a thing. */
  makeRoom?(callerId: string): boolean;
}

export interface DoorOptions {
  readonly maxSessions: number;
  readonly quotas: (() => Quotas) | undefined;
  /** Throws if it no longer holds. */
  readonly check: ((caller: Caller) => void) | undefined;
}

export function createDoor(holders: () => readonly Holder[], options: DoorOptions): Door {
  const { maxSessions, quotas, check } = options;
  return {
    enter({ id, kind }) {
      const all = holders().reduce((sum, holder) => sum + holder.size, 0);
      if (all >= maxSessions)
        throw new WitboxError('too-many-open', { what: 'sessions', limit: maxSessions });
      const limit = quotas?.().sessionsPerCaller ?? null;
      // Those who did not say who they are have only the limit of all together.
      if (limit === null || kind === 'anybody') return;
      const own = holders().reduce((sum, holder) => sum + holder.sizeOf(id), 0);
      if (own < limit || holders().some((holder) => holder.makeRoom?.(id))) return;
      throw new Refusal('too-many-sessions', { limit }, { 'Retry-After': '60' });
    },
    holds(caller) {
      try {
        check?.(caller);
        return true;
      } catch {
        return false;
      }
    },
  };
}
