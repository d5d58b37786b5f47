// What keys of different sections must be together, and what only the gate's own compilers can judge. Each problem is
// told at the key that makes it one.

import { WitboxError } from '../core/errors.ts';
import { compileArgumentSchema } from '../gate/access/argument-schema.ts';
import { compileNameGlobs } from '../gate/access/name-glob.ts';
import { checkOptions } from '../gate/authenticate/options.ts';
import type { AccessOptions, AccessRule, AuthenticationOptions, LimitOptions } from '../gate/options.ts';
import { createPeers } from '../transport/http/client-address.ts';
import type { listen } from './sections/listen.ts';
import type { Position, Problem, ValueOf } from './shape.ts';

interface Together {
  readonly listen: ValueOf<typeof listen>;
  readonly authentication: AuthenticationOptions;
  readonly access?: AccessOptions;
  readonly limits: LimitOptions;
}

type Say = (path: string, problem: string) => void;

export function checkTogether(value: Together, written: ReadonlyMap<string, Position>): Problem[] {
  const problems: Problem[] = [];
  const say: Say = (path, problem) => {
    problems.push({ ...position(path, written), problem });
  };
  checkTls(value, say);
  checkOthers(value, say);
  for (const [i, rule] of (value.access?.rules ?? []).entries()) checkRule(rule, `access.rules[${i}]`, say);
  for (const [i, { tool }] of value.limits.tools.entries())
    attempt(`limits.tools[${i}].tool`, say, () => compileNameGlobs([tool]));
  return problems;
}

function checkTls({ listen: { tls }, authentication }: Together, say: Say): void {
  if ((tls.certificate === undefined) !== (tls.key === undefined)) {
    const [has, lacks] = tls.key === undefined ? ['certificate', 'key'] : ['key', 'certificate'];
    say(`listen.tls.${has}`, `listen.tls.${has} needs listen.tls.${lacks} beside it`);
  }
  if (tls.selfSigned && tls.certificate !== undefined)
    say('listen.tls.self-signed', 'listen.tls.self-signed cannot stand beside listen.tls.certificate');
  if (tls.clientCa !== undefined && tls.certificate === undefined && !tls.selfSigned)
    say('listen.tls.client-ca', 'listen.tls.client-ca needs listen.tls.certificate beside it');
  if (tls.clientCa !== undefined && !authentication.certificates)
    say('listen.tls.client-ca', 'listen.tls.client-ca needs authentication.certificates, or nobody heeds it');
  if (authentication.certificates && tls.clientCa === undefined)
    say('authentication.certificates', 'authentication.certificates needs listen.tls.client-ca');
}

function checkOthers({ listen: { publicUrl, trustProxy }, authentication }: Together, say: Say): void {
  attempt('authentication.oauth', say, () =>
    checkOptions({ ...authentication, publicUrl: publicUrl ?? null }),
  );
  attempt('listen.trust-proxy', say, () => createPeers(trustProxy));
}

function checkRule(rule: AccessRule, path: string, say: Say): void {
  for (const effect of ['allow', 'deny'] as const) {
    for (const [kind, globs] of Object.entries(rule[effect]))
      attempt(`${path}.${effect}.${kind}`, say, () => compileNameGlobs(globs));
  }
  for (const [i, { tool, schema }] of rule.arguments.entries()) {
    attempt(`${path}.arguments[${i}].tool`, say, () => compileNameGlobs([tool]));
    attempt(`${path}.arguments[${i}].schema`, say, () => compileArgumentSchema(schema));
  }
}

function attempt(path: string, say: Say, compile: () => unknown): void {
  try {
    compile();
  } catch (error) {
    say(path, `${path}: ${reasonOf(error)}`);
  }
}

/** Only what is wrong: what it is about is said already. */
function reasonOf(error: unknown): string {
  if (!(error instanceof WitboxError)) return (error as Error).message;
  const { problem, value, expected } = error.details;
  return String(problem ?? `"${value}" is not ${expected}`);
}

/** Of the key, or of the nearest one around it that the document has. */
function position(path: string, written: ReadonlyMap<string, Position>): Position {
  for (let at = path; at !== ''; at = at.replace(/(^|\.)[^.[]+$|\[\d+\]$/, '')) {
    const found = written.get(at);
    if (found) return found;
  }
  return { line: 1, column: 1 };
}
