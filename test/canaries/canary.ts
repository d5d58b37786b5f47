// Texts that stand for what must not be told. Each is unlike anything else, so that finding one is proof of a leak, and
// each is looked for in every form that the redactor knows.

import { randomBytes } from 'node:crypto';
import { secretForms } from '../../src/core/secret-forms.ts';

export type Canaries<Name extends string> = Readonly<Record<Name, string>>;

export function plant<Name extends string>(...names: readonly Name[]): Canaries<Name> {
  const pairs = names.map((name) => [name, `canary-${name}-${randomBytes(9).toString('hex')}`]);
  return Object.fromEntries(pairs) as Canaries<Name>;
}

/** The names of those that can be found in a text. */
export function found<Name extends string>(text: string, canaries: Canaries<Name>): Name[] {
  return (Object.keys(canaries) as Name[]).filter((name) =>
    secretForms(canaries[name]).some((form) => text.includes(form)),
  );
}
