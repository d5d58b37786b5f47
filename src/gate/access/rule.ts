// One access rule, compiled: whom it names, what it allows and denies, and what it asks of arguments. Pure.

import type { Caller } from '../../core/caller.ts';
import { WitboxError } from '../../core/errors.ts';
import type { Validate } from '../../core/json-schema/validate.ts';
import type { AccessRule, Reach } from '../options.ts';
import { compileArgumentSchema } from './argument-schema.ts';
import { compileNameGlob, compileNameGlobs, type NameGlob } from './name-glob.ts';
import type { Spellings, Wanted, WantedKind } from './wanted.ts';
import { compileWho } from './who.ts';

export interface ArgumentCheck {
  /** Number of the rule that it stands in. */
  readonly rule: number;
  readonly tool: string;
  readonly matches: NameGlob;
  readonly schema: Readonly<Record<string, unknown>>;
  readonly validate: Validate;
}

export interface Rule {
  /** From 1, in the order of the configuration. */
  readonly number: number;
  names(caller: Caller): boolean;
  allows(wanted: Wanted, spellings: Spellings): boolean;
  denies(wanted: Wanted, spellings: Spellings): boolean;
  readonly checks: readonly ArgumentCheck[];
}

/** Throws `access-invalid`. */
export function compileRule(rule: AccessRule, number: number): Rule {
  try {
    const allow = compileReach(rule.allow);
    const deny = compileReach(rule.deny);
    return {
      number,
      names: compileWho(rule.who),
      allows(wanted, { allowed }) {
        // Witbox itself is no component: `components: ['*']` does not reach it.
        if (wanted.kind !== 'management' && allow.components(wanted.component)) return true;
        return allowed.every((group) => group.some(allow[wanted.kind]));
      },
      denies(wanted, { denied }) {
        if (wanted.kind !== 'management') {
          return deny.components(wanted.component) || denied.some(deny[wanted.kind]);
        }
        // A built-in tool is a tool too when it is denied.
        return denied.some((name) => KINDS.some((kind) => deny[kind](name)));
      },
      checks: rule.arguments.map(({ tool, schema }) => ({
        rule: number,
        tool,
        matches: compileNameGlob(tool),
        schema,
        validate: compileArgumentSchema(schema),
      })),
    };
  } catch (error) {
    throw new WitboxError('access-invalid', { rule: number, problem: (error as Error).message });
  }
}

const KINDS = ['tool', 'resource', 'prompt', 'management'] as const;

function compileReach(reach: Reach): Readonly<Record<WantedKind | 'components', NameGlob>> {
  return {
    tool: compileNameGlobs(reach.tools),
    resource: compileNameGlobs(reach.resources),
    prompt: compileNameGlobs(reach.prompts),
    management: compileNameGlobs(reach.management),
    components: compileNameGlobs(reach.components),
  };
}
