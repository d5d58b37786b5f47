// Grants that note what was asked for and granted in one call, each permission once, for whoever records the call.
// Bounded: a guest that opens a million files costs no memory.

import type { Grants } from './grants.ts';

const MOST = 64;

export function recordGrants(grants: Grants, granted: Set<string>): Grants {
  return {
    ...grants,
    decide(request) {
      const decision = grants.decide(request);
      if (decision.allowed && granted.size < MOST) granted.add(decision.permission);
      return decision;
    },
  };
}
