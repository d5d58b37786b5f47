// What a call may do, as host/ asks it: a policy's decision for each request, and the directories to open from the
// start. The policy stays pure; it never opens, resolves or reads anything.
// Invariant: no matching rule means `allowed: false`.

import { type Decision, decide } from '../policy/decide.ts';
import { globMatches, globMatchesAtOrAbove, globReachesBelow, literalPrefix } from '../policy/glob.ts';
import type { Access, Policy } from '../policy/policy.ts';
import type { PolicyRequest } from '../policy/request.ts';
import type { SecretUse } from '../policy/secret-rule.ts';
import { pathSegments } from '../policy/storage-uri.ts';

export type { Access, Decision };

interface Preopen {
  /** A directory of the machine, absolute; a file stands for the directory it is in. */
  readonly hostPath: string;
  /** The name a guest sees. */
  readonly guestPath: string;
  /** Whether anything below may be written; each path is decided on its own besides. */
  readonly writable: boolean;
}

export interface Grants {
  readonly preopens: readonly Preopen[];
  decide(request: PolicyRequest): Decision;
  /** Secrets that are added to requests, and where. */
  readonly secrets: readonly SecretUse[];
  /** Whether a rule allows something at or below this path, so that the way there may be walked. */
  reaches(path: string): boolean;
  /** Whether one rule allows the path and all that could be below it, and none denies any of it. */
  coversTree(path: string, access: Access): boolean;
}

/** Something a guest asked for and did not get. */
export interface Denial {
  readonly permission: string;
  readonly reason: string;
}

export function grantsOf(policy: Policy): Grants {
  return {
    preopens: preopensOf(policy),
    decide: (request) => decide(policy, request),
    secrets: policy.secrets.allow,
    reaches(path) {
      const names = pathSegments(path);
      return names !== undefined && policy.storage.allow.some(({ glob }) => globReachesBelow(glob, names));
    },
    coversTree(path, access) {
      const names = pathSegments(path);
      if (names === undefined) return false;
      const { allow, deny } = policy.storage;
      return (
        allow.some(
          ({ glob, access: granted }) =>
            granted.includes(access) &&
            glob.segments.at(-1)?.kind === 'any-depth' &&
            globMatches(glob, names),
        ) && !deny.some(({ glob }) => globMatchesAtOrAbove(glob, names) || globReachesBelow(glob, names))
      );
    },
  };
}

/**
 * The directory in front of each rule's first wildcard, without those that lie inside another. A guest knows them by
 * their own paths, so that a path in a prompt means the same on both sides.
 */
function preopensOf(policy: Policy): Preopen[] {
  const bases = new Map<string, boolean>();
  for (const { glob, access } of policy.storage.allow) {
    const base = `/${literalPrefix(glob).path.join('/')}`;
    bases.set(base, bases.get(base) === true || access.includes('write'));
  }
  const outer = [...bases.keys()].filter((path) => ![...bases.keys()].some((other) => isInside(path, other)));
  return outer.sort().map((path) => ({
    hostPath: path,
    guestPath: path,
    writable: [...bases].some(([base, writes]) => writes && (base === path || isInside(base, path))),
  }));
}

const isInside = (path: string, outer: string): boolean =>
  path !== outer && path.startsWith(outer === '/' ? outer : `${outer}/`);
