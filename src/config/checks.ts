// What keys of different sections must be together, and what only the gate's own compilers can judge. Each problem is
// told at the key that makes it one.

import { compileArgumentSchema } from '../gate/access/argument-schema.ts';
import { compileNameGlobs } from '../gate/access/name-glob.ts';
import type { AccessOptions, AccessRule, AuthenticationOptions, LimitOptions } from '../gate/options.ts';
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
  checkTokens(value, say);
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

function checkTokens({ listen: { publicUrl }, authentication: { oauth } }: Together, say: Say): void {
  if (oauth.length > 0 && publicUrl === undefined)
    say('authentication.oauth', 'authentication.oauth needs listen.public-url');
  const issuers = oauth.map(({ issuer }) => issuer);
  for (const [i, issuer] of issuers.entries()) {
    if (issuers.indexOf(issuer) < i)
      say(`authentication.oauth[${i}].issuer`, `authentication.oauth names the issuer "${issuer}" twice`);
  }
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
    say(path, `${path}: ${(error as Error).message}`);
  }
}

/** Of the key, or of the nearest one around it that the document has. */
function position(path: string, written: ReadonlyMap<string, Position>): Position {
  for (let at = path; at !== ''; at = at.replace(/(^|\.)[^.[]+$|\[\d+\]$/, '')) {
    const found = written.get(at);
    if (found) return found;
  }
  return { line: 1, column: 1 };
}
