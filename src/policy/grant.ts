// One capability that a person gives or takes back, as plain data, checked before any document is touched.
// `storage` with a URI, `network` with a host or block, a name of a named section, or a limit with its value.

import { WitboxError } from '../core/errors.ts';
import { quote } from './document.ts';
import { parseEndpoint } from './endpoint.ts';
import { type Access, NAMED_SECTIONS, type NamedSection, type Section } from './policy.ts';
import { LIMIT_NAMES, type LimitName, parseLimit } from './quantity.ts';
import { isRuleName } from './read-rule.ts';
import { parseSecretUse, SECRET_KEY, type SecretParts } from './secret-rule.ts';
import { parseStorageUri } from './storage-uri.ts';

export type GrantKind = 'storage' | 'network' | 'secret' | NamedSection | LimitName;

export interface Grant {
  readonly kind: GrantKind;
  /** URI, host or CIDR block, name, or amount. */
  readonly value: string;
  /** Storage only. */
  readonly access?: readonly Access[];
  /** For a secret: where it is sent, and how. */
  readonly use?: Omit<SecretParts, 'key'> | undefined;
}

export const GRANT_KINDS: readonly GrantKind[] = [
  'storage',
  'network',
  'secret',
  ...(Object.keys(NAMED_SECTIONS) as NamedSection[]),
  ...LIMIT_NAMES,
];

export function isNamedSection(kind: GrantKind): kind is NamedSection {
  return Object.hasOwn(NAMED_SECTIONS, kind);
}

export function isLimitName(kind: GrantKind): kind is LimitName {
  return (LIMIT_NAMES as readonly GrantKind[]).includes(kind);
}

/** Where the rules of that kind stand in a document. */
export function sectionOf(kind: Exclude<GrantKind, LimitName>): Section {
  return kind === 'secret' ? 'secrets' : kind;
}

/** Throws `grant-invalid` for what no document could hold. */
export function checkGrant(grant: Grant): void {
  const problem = grantProblem(grant);
  if (problem === undefined) return;
  throw new WitboxError('grant-invalid', {
    kind: grant.kind,
    value: quote(grant.value).slice(1, -1),
    problem,
  });
}

/** A rule of the document, as its keys and values; for a limit nothing. */
export function ruleFields({ kind, value, use }: Grant): Readonly<Record<string, string>> {
  if (kind === 'storage') return { uri: value };
  if (kind === 'network') return /^[0-9a-f:.]+\/[0-9]+$/i.test(value) ? { cidr: value } : { host: value };
  if (kind === 'secret') return { key: value, ...given(use ?? {}) };
  return isNamedSection(kind) ? { [NAMED_SECTIONS[kind]]: value } : {};
}

function given(fields: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(fields).filter((pair): pair is [string, string] => pair[1] !== undefined),
  );
}

function grantProblem(grant: Grant): string | undefined {
  const { kind, value, access } = grant;
  if (kind === 'storage') {
    const glob = parseStorageUri(value);
    if (typeof glob === 'string') return glob;
    return access && access.length > 0 ? undefined : 'must say whether to read or to write';
  }
  if (kind === 'network') {
    const endpoint = parseEndpoint(ruleFields(grant));
    return 'problem' in endpoint ? endpoint.problem : undefined;
  }
  if (kind === 'secret') return secretProblem(grant);
  if (isLimitName(kind)) {
    const amount = parseLimit(kind, value);
    return typeof amount === 'string' ? amount : undefined;
  }
  return isRuleName(kind, value) ? undefined : 'is not a name that can be granted';
}

function secretProblem({ value, use }: Grant): string | undefined {
  if (!SECRET_KEY.test(value)) return 'is not a name that a secret can have';
  if (use === undefined) return 'must say to which host it is sent';
  if ((use.header === undefined) === (use.query === undefined))
    return 'must be sent as a header or in the query';
  const parsed = parseSecretUse({ key: value, ...use });
  return 'problem' in parsed ? `cannot be sent so: ${parsed.field} ${parsed.problem}` : undefined;
}
