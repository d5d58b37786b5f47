// Who may use what. Pure: rules in, verdicts out. All rules that name a caller count together; a deny beats every
// allow; what nothing allows is not allowed. Callers whom the same rules name share a view, in which verdicts are kept.

import type { Caller } from '../../core/caller.ts';
import type { AccessOptions } from '../options.ts';
import { type ArgumentCheck, compileRule, type Rule } from './rule.ts';
import { spellingsOf, type Wanted } from './wanted.ts';

export interface Verdict {
  readonly allowed: boolean;
  /** Number of the rule that decided, from 1; null if none did. */
  readonly rule: number | null;
  readonly reason: string;
}

/** What some callers see alike. */
export interface View {
  /** Equal keys promise equal verdicts, also across changes of the rules. */
  readonly key: string;
  /** Numbers of the rules that name these callers. */
  readonly rules: readonly number[];
  /** Nothing is hidden and nothing is checked: lists can be shown as they are. */
  readonly whole: boolean;
  mayUse(wanted: Wanted): Verdict;
  /** What arguments of this tool must satisfy besides its own schema. */
  argumentChecks(tool: Wanted): readonly ArgumentCheck[];
}

/**
 * What holds without rules. `open`: a server on loopback without authentication, where anybody may do what is offered.
 * `exposed`: anybody on a network may use what components offer, and manage nothing. `authenticated`: nobody unknown.
 */
export type AccessMode = 'open' | 'exposed' | 'authenticated';

export interface Access {
  view(caller: Caller): View;
  mayUse(caller: Caller, wanted: Wanted): Verdict;
  /** Other rules from now on. Throws `access-invalid`, and then keeps those it has. */
  set(options: AccessOptions | null, mode: AccessMode): void;
}

const MOST_VERDICTS = 10_000;
const MOST_VIEWS = 1_000;

export function createAccess(options: AccessOptions | null, mode: AccessMode): Access {
  let generation = 0;
  let find = finder(options, mode, generation);
  const view = (caller: Caller): View => find(caller);
  return {
    view,
    mayUse: (caller, wanted) => view(caller).mayUse(wanted),
    set(next, nextMode) {
      find = finder(next, nextMode, ++generation);
    },
  };
}

function finder(
  options: AccessOptions | null,
  mode: AccessMode,
  generation: number,
): (caller: Caller) => View {
  if (options === null) return defaults(mode, generation);
  const rules = options.rules.map((rule, at) => compileRule(rule, at + 1));
  const views = new Map<string, View>();
  // Callers are made by the request or by the session; both ask more than once.
  const known = new WeakMap<Caller, View>();
  return (caller) => {
    const found = known.get(caller);
    if (found !== undefined) return found;
    const naming = rules.filter((rule) => rule.names(caller));
    const key = `${generation}:${naming.map(({ number }) => number).join(',')}`;
    const view = views.get(key) ?? createView(key, naming);
    if (views.size >= MOST_VIEWS) views.clear();
    views.set(key, view);
    known.set(caller, view);
    return view;
  };
}

function createView(key: string, rules: readonly Rule[]): View {
  const verdicts = new Map<string, Verdict>();
  return {
    key,
    rules: rules.map(({ number }) => number),
    whole: false,
    mayUse(wanted) {
      const name = `${wanted.kind}\0${wanted.component}\0${wanted.name}`;
      const found = verdicts.get(name);
      if (found !== undefined) return found;
      const verdict = judge(rules, wanted);
      // Names of resources come from callers: without end.
      if (verdicts.size >= MOST_VERDICTS) verdicts.clear();
      verdicts.set(name, verdict);
      return verdict;
    },
    argumentChecks(tool) {
      const { denied: names } = spellingsOf(tool);
      return rules.flatMap(({ checks }) => checks.filter(({ matches }) => names.some(matches)));
    },
  };
}

function judge(rules: readonly Rule[], wanted: Wanted): Verdict {
  const spellings = spellingsOf(wanted);
  const what = `${wanted.kind} "${wanted.name}"`;
  const denying = rules.find((rule) => rule.denies(wanted, spellings));
  if (denying !== undefined) {
    return { allowed: false, rule: denying.number, reason: `rule ${denying.number} denies ${what}` };
  }
  const allowing = rules.find((rule) => rule.allows(wanted, spellings));
  if (allowing !== undefined) {
    return { allowed: true, rule: allowing.number, reason: `rule ${allowing.number} allows ${what}` };
  }
  const who = rules.length === 0 ? 'no rule names this caller' : `no rule for this caller allows ${what}`;
  return { allowed: false, rule: null, reason: who };
}

function defaults(mode: AccessMode, generation: number): (caller: Caller) => View {
  const fixed = (name: string, whole: boolean, allows: (wanted: Wanted) => boolean): View => {
    const yes: Verdict = { allowed: true, rule: null, reason: `without rules ${name} may` };
    const no: Verdict = { allowed: false, rule: null, reason: `without rules ${name} may not` };
    return {
      key: `${generation}:${name}`,
      rules: [],
      whole,
      mayUse: (wanted) => (allows(wanted) ? yes : no),
      argumentChecks: () => [],
    };
  };
  const everything = fixed('whoever is on this machine', true, () => true);
  const users = fixed('whoever proved who they are', false, ({ kind }) => kind !== 'management');
  const anybody = {
    open: everything,
    exposed: fixed('anybody', false, ({ kind }) => kind !== 'management'),
    authenticated: fixed('anybody', false, () => false),
  }[mode];
  return ({ kind }) => (kind === 'local' ? everything : kind === 'anybody' ? anybody : users);
}
