// The `who` of an access rule: which callers it names. By how they proved who they are and the name they proved, by a
// group or a scope of theirs; never by anything that a client says about itself.

import type { Caller } from '../../core/caller.ts';
import { compileNameGlob } from './name-glob.ts';

export type Names = (caller: Caller) => boolean;

const FORMS =
  'key:NAME, subject:NAME, subject:ISSUER#NAME, certificate:NAME, group:NAME, scope:NAME, local, anybody or *';

/** Throws a plain Error that says what is wrong. */
export function compileWho(who: readonly string[]): Names {
  const names = who.map(compileOne);
  return (caller) => names.some((one) => one(caller));
}

function compileOne(pattern: string): Names {
  if (pattern === '*') return () => true;
  if (pattern === 'local' || pattern === 'anybody') return ({ kind }) => kind === pattern;
  const colon = pattern.indexOf(':');
  const form = pattern.slice(0, Math.max(0, colon));
  switch (form) {
    case 'key':
    case 'subject':
    case 'certificate': {
      // An issuer has no `#`, a subject may: with one in the pattern nobody passes for another issuer's subject.
      const withIssuer = form === 'subject' && pattern.includes('#');
      const matches = compileNameGlob(withIssuer ? pattern : pattern.slice(colon + 1));
      return ({ kind, id, name }) => kind === form && matches(withIssuer ? id : name);
    }
    case 'group':
    case 'scope': {
      const matches = compileNameGlob(pattern.slice(colon + 1));
      return ({ groups, scopes }) => (form === 'group' ? groups : scopes).some(matches);
    }
    default:
      throw new Error(`${JSON.stringify(pattern.slice(0, 80))} names nobody: write ${FORMS}`);
  }
}
