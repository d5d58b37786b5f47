// One capability that a person gives or takes back, as plain data, checked before any document is touched.
// `storage` with a URI, `network` with a host or block, a name of a named section, or a limit with its value.

import { WitboxError } from '../core/errors.ts';
import { quote } from './document.ts';
import { parseEndpoint } from './endpoint.ts';
import { type Access, NAMED_SECTIONS, type NamedSection } from './policy.ts';
import { LIMIT_NAMES, type LimitName, parseLimit } from './quantity.ts';
import { isRuleName } from './read-rule.ts';
import { parseStorageUri } from './storage-uri.ts';

export type GrantKind = 'storage' | 'network' | NamedSection | LimitName;

export interface Grant {
  readonly kind: GrantKind;
  /** URI, host or CIDR block, name, or amount. */
  readonly value: string;
  /** Storage only. */
  readonly access?: readonly Access[];
}

export const GRANT_KINDS: readonly GrantKind[] = [
  'storage',
  'network',
  ...(Object.keys(NAMED_SECTIONS) as NamedSection[]),
  ...LIMIT_NAMES,
];

export function isNamedSection(kind: GrantKind): kind is NamedSection {
  return Object.hasOwn(NAMED_SECTIONS, kind);
}

export function isLimitName(kind: GrantKind): kind is LimitName {
  return (LIMIT_NAMES as readonly GrantKind[]).includes(kind);
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
export function ruleFields({ kind, value }: Grant): Readonly<Record<string, string>> {
  if (kind === 'storage') return { uri: value };
  if (kind === 'network') return /^[0-9a-f:.]+\/[0-9]+$/i.test(value) ? { cidr: value } : { host: value };
  return isNamedSection(kind) ? { [NAMED_SECTIONS[kind]]: value } : {};
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
  if (isLimitName(kind)) {
    const amount = parseLimit(kind, value);
    return typeof amount === 'string' ? amount : undefined;
  }
  return isRuleName(kind, value) ? undefined : 'is not a name that can be granted';
}
