// The denials of one call, first come first kept, each once. The caller sees them as -32001 if the call then fails.
// Bounded: a guest that asks a million times for what it may not have costs no memory.

import { HostFailure } from '../core/port.ts';
import type { Decision, Denial } from './grants.ts';

const MOST = 64;

export interface Denials {
  /** Passes if the decision is a yes; else records it and throws it as `code`. */
  require(decision: Decision, code: string): void;
  /** Records something that was refused for another reason than a rule. */
  add(permission: string, reason: string): void;
  list(): readonly Denial[];
}

export function createDenials(onDenial?: (denial: Denial) => void): Denials {
  const seen = new Map<string, Denial>();
  const add = (permission: string, reason: string): void => {
    const key = `${permission}\n${reason}`;
    if (seen.size >= MOST || seen.has(key)) return;
    const denial = { permission, reason };
    seen.set(key, denial);
    onDenial?.(denial);
  };
  return {
    require(decision, code) {
      if (decision.allowed) return;
      add(decision.permission, decision.reason);
      throw new HostFailure(code);
    },
    add,
    list: () => [...seen.values()],
  };
}
