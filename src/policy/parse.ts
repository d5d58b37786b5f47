// YAML text → Policy. Strict: what a document says is enforced, or the document is refused with the line and column of
// what cannot be. Never throws anything but WitboxError `policy-invalid`, whatever the text.

import {
  type PolicyDocument,
  quote,
  readDocument,
  readList,
  readMap,
  readScalarText,
  readString,
} from './document.ts';
import {
  type Effect,
  NAMED_SECTIONS,
  type NamedSection,
  type Policy,
  type Rule,
  type RuleSet,
  type SecretRule,
} from './policy.ts';
import { DEFAULT_LIMITS, LIMIT_NAMES, type Limits, parseLimit } from './quantity.ts';
import { readNamedRule, readNetworkRule, readSecretRule, readStorageRule } from './read-rule.ts';
import { secretUseKey } from './secret-rule.ts';
import { isScalar, type Node } from './yaml.ts';

const VERSION = '1.0';
const MAX_RULES = 2000;
const SECTIONS = ['storage', 'network', ...Object.keys(NAMED_SECTIONS), 'secrets', 'resources'];

export function parsePolicy(text: string, name?: string): Policy {
  const document = readDocument(text, name);
  // `$schema` is a hint for editors and grants nothing.
  const top = readMap(document, document.yaml.contents, 'the document', [
    '$schema',
    'version',
    'description',
    'permissions',
  ]);
  checkVersion(document, top.get('version'));
  const description = top.get('description');
  const permissions = readMap(document, top.get('permissions'), 'permissions', SECTIONS);
  let count = 0;
  const countRule = (node: Node): void => {
    count += 1;
    if (count > MAX_RULES) document.fail(node, `it has more than ${MAX_RULES} rules`);
  };
  const section = <R extends Rule>(key: string, read: (node: Node, effect: Effect) => R): RuleSet<R> => {
    const lists = readMap(document, permissions.get(key), `permissions.${key}`, ['allow', 'deny']);
    const rules = (effect: Effect): R[] =>
      readList(document, lists.get(effect), `permissions.${key}.${effect}`).map((node) => {
        countRule(node);
        return read(node, effect);
      });
    return { allow: rules('allow'), deny: rules('deny') };
  };
  const named = (key: NamedSection) =>
    section(key, (node, effect) => readNamedRule(document, node, key, effect));
  return {
    description: description ? readString(document, description, 'description') : undefined,
    storage: section('storage', (node, effect) => readStorageRule(document, node, effect)),
    network: section('network', (node, effect) => readNetworkRule(document, node, effect)),
    environment: named('environment'),
    config: named('config'),
    keyvalue: named('keyvalue'),
    mcp: named('mcp'),
    secrets: { allow: readSecrets(document, permissions.get('secrets'), countRule) },
    limits: readLimits(document, permissions.get('resources')),
  };
}

/** A secret is sent where a rule says, and nowhere else: there is nothing to deny. */
function readSecrets(
  document: PolicyDocument,
  section: Node | null | undefined,
  countRule: (node: Node) => void,
): readonly SecretRule[] {
  const lists = readMap(document, section, 'permissions.secrets', ['allow']);
  const taken = new Set<string>();
  return readList(document, lists.get('allow'), 'permissions.secrets.allow').map((node) => {
    countRule(node);
    const rule = readSecretRule(document, node);
    const place = secretUseKey(rule);
    if (taken.has(place))
      document.fail(node, `another rule sets ${rule.place} ${quote(rule.name)} for that host`);
    taken.add(place);
    return rule;
  });
}

function checkVersion(document: PolicyDocument, node: Node | null | undefined): void {
  if (!node) document.fail(document.yaml.contents, `version is missing, expected "${VERSION}"`);
  if (isScalar(node) && node.value === VERSION) return;
  const value = isScalar(node) ? node.value : undefined;
  const found = typeof value === 'number' ? `the number ${value}` : quote(String(value));
  document.fail(
    node,
    `version is ${found}, expected "${VERSION}"${typeof value === 'number' ? ' in quotes' : ''}`,
  );
}

function readLimits(document: PolicyDocument, resources: Node | null | undefined): Limits {
  const outer = readMap(document, resources, 'permissions.resources', ['limits']);
  const entries = readMap(document, outer.get('limits'), 'permissions.resources.limits', LIMIT_NAMES);
  const given: Partial<Record<keyof Limits, number>> = {};
  for (const name of LIMIT_NAMES) {
    if (!entries.has(name)) continue;
    const node = entries.get(name);
    const text = readScalarText(document, node, `limit ${name}`);
    const value = parseLimit(name, text);
    if (typeof value === 'string') document.fail(node, `limit ${name} is ${quote(text)}, it ${value}`);
    else given[name] = value;
  }
  const limits = { ...DEFAULT_LIMITS, ...given };
  // Without a limit of its own, CPU time is bounded by the wall time.
  return { ...limits, cpu: given.cpu ?? limits.time };
}
