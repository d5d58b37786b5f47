// One entry of an `allow` or `deny` list → rule. Each kind of rule has its own keys; a key that is not enforced for that
// kind is an error at its place, never ignored.

import { type PolicyDocument, quote, readList, readMap, readScalarText, readString } from './document.ts';
import { type EndpointParts, parseEndpoint } from './endpoint.ts';
import {
  type Access,
  type Effect,
  NAMED_SECTIONS,
  type NamedSection,
  type NameRule,
  type NetworkRule,
  type SecretRule,
  type StorageRule,
} from './policy.ts';
import { parseSecretUse, type SecretParts, secretUseText } from './secret-rule.ts';
import { parseStorageUri } from './storage-uri.ts';
import type { Node } from './yaml.ts';

const ACCESS: readonly Access[] = ['read', 'write'];
const ENVIRONMENT_KEY = /^[A-Za-z_][A-Za-z0-9_]{0,255}$/;
const OPEN_NAME = /^[A-Za-z0-9][A-Za-z0-9_.:/-]{0,255}$/;

export function readStorageRule(document: PolicyDocument, node: Node, effect: Effect): StorageRule {
  const entries = readEntry(document, node, `a rule of storage.${effect}`, ['uri', 'access'], ['uri']);
  const uri = readString(document, entries.get('uri'), 'uri');
  const glob = parseStorageUri(uri);
  if (typeof glob === 'string') return document.fail(entries.get('uri'), `uri ${quote(uri)} ${glob}`);
  const access = readAccess(document, node, entries.get('access'), effect);
  return {
    section: 'storage',
    effect,
    text: `${uri} (${access.join(', ')})`,
    ...document.position(node),
    glob,
    access,
  };
}

export function readNetworkRule(document: PolicyDocument, node: Node, effect: Effect): NetworkRule {
  const where = `a rule of network.${effect}`;
  const entries = readEntry(document, node, where, ['host', 'cidr', 'scheme', 'port'], []);
  if (entries.has('host') === entries.has('cidr'))
    document.fail(node, `${where} must have either host or cidr`);
  const text = (key: string): string | undefined =>
    entries.has(key) ? readScalarText(document, entries.get(key), key) : undefined;
  const parts: EndpointParts = {
    host: text('host'),
    cidr: text('cidr'),
    scheme: text('scheme'),
    port: text('port'),
  };
  const endpoint = parseEndpoint(parts);
  if ('problem' in endpoint) {
    return document.fail(
      entries.get(endpoint.field),
      `${endpoint.field} ${quote(parts[endpoint.field] ?? '')} ${endpoint.problem}`,
    );
  }
  return {
    section: 'network',
    effect,
    text: networkRuleText(parts),
    ...document.position(node),
    ...endpoint,
  };
}

const SECRET_FIELDS = ['key', 'host', 'scheme', 'port', 'header', 'query', 'value'] as const;

export function readSecretRule(document: PolicyDocument, node: Node): SecretRule {
  const where = 'a rule of secrets.allow';
  const entries = readEntry(document, node, where, SECRET_FIELDS, ['key', 'host']);
  if (entries.has('header') === entries.has('query'))
    document.fail(node, `${where} must have either header or query`);
  const text = (key: string): string | undefined =>
    entries.has(key) ? readScalarText(document, entries.get(key), key) : undefined;
  const parts: SecretParts = {
    key: text('key') ?? '',
    host: text('host') ?? '',
    scheme: text('scheme'),
    port: text('port'),
    header: text('header'),
    query: text('query'),
    value: text('value'),
  };
  const use = parseSecretUse(parts);
  if ('problem' in use) {
    return document.fail(
      entries.get(use.field),
      `${use.field} ${quote(parts[use.field] ?? '')} ${use.problem}`,
    );
  }
  return {
    section: 'secrets',
    effect: 'allow',
    text: secretUseText(use),
    ...document.position(node),
    ...use,
  };
}

export function readNamedRule(
  document: PolicyDocument,
  node: Node,
  section: NamedSection,
  effect: Effect,
): NameRule {
  const key = NAMED_SECTIONS[section];
  const entries = readEntry(document, node, `a rule of ${section}.${effect}`, [key], [key]);
  const name = readString(document, entries.get(key), key);
  if (!isRuleName(section, name))
    document.fail(entries.get(key), `${key} ${quote(name)} is not a name that can be granted`);
  return { section, effect, text: name, ...document.position(node), name };
}

export function isRuleName(section: NamedSection, name: string): boolean {
  return (section === 'environment' ? ENVIRONMENT_KEY : OPEN_NAME).test(name);
}

function readEntry(
  document: PolicyDocument,
  node: Node,
  where: string,
  known: readonly string[],
  required: readonly string[],
) {
  const entries = readMap(document, node, where, known);
  for (const key of required) if (!entries.get(key)) document.fail(node, `${where} must have ${key}`);
  return entries;
}

/** A deny rule without `access` denies both; an allow rule must say what it allows. */
function readAccess(
  document: PolicyDocument,
  rule: Node,
  node: Node | null | undefined,
  effect: Effect,
): readonly Access[] {
  if (!node)
    return effect === 'deny' ? ACCESS : document.fail(rule, 'a rule of storage.allow must have access');
  const listed = readList(document, node, 'access').map((item) => {
    const text = readString(document, item, 'access');
    return (
      ACCESS.find((access) => access === text) ??
      document.fail(item, `access ${quote(text)} must be "read" or "write"`)
    );
  });
  if (listed.length === 0) document.fail(node, 'access must not be empty');
  if (new Set(listed).size < listed.length) document.fail(node, 'access must not name the same twice');
  return ACCESS.filter((access) => listed.includes(access));
}

function networkRuleText({ host, cidr, scheme, port }: EndpointParts): string {
  const target = host ?? cidr ?? '';
  const extra = [scheme, port && `port ${port}`].filter(Boolean).join(', ');
  return extra ? `${target} (${extra})` : target;
}
