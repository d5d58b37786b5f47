// Changes to a policy document as text → text. Comments, order and style of a hand-written document stay as they are:
// only the nodes of the rule in question are touched. A document that cannot be parsed is refused, never repaired, and
// the result is parsed again before it is handed back.

import { WitboxError } from '../core/errors.ts';
import { quote, readDocument } from './document.ts';
import { endpointKey, parseEndpoint } from './endpoint.ts';
import {
  checkGrant,
  type Grant,
  type GrantKind,
  isLimitName,
  isNamedSection,
  ruleFields,
  sectionOf,
} from './grant.ts';
import { parsePolicy } from './parse.ts';
import { type Access, NAMED_SECTIONS } from './policy.ts';
import { parseSecretUse, type SecretParts, secretUseKey } from './secret-rule.ts';
import {
  createMap,
  createSeq,
  type Document,
  isMap,
  isNode,
  isScalar,
  isSeq,
  type Node,
  type YAMLMap,
  type YAMLSeq,
} from './yaml.ts';

/** What a component has before anything is granted. */
export const EMPTY_DOCUMENT = 'version: "1.0"\n';

export interface Revocation {
  readonly kind: GrantKind;
  /** Left out for a limit, which has one value. */
  readonly value?: string | undefined;
  /** Storage: only this access is taken back; both if left out. */
  readonly access?: readonly Access[] | undefined;
  /** Secret: only what is sent so; all of it if left out. */
  readonly use?: Grant['use'];
}

export function grantPermission(text: string, grant: Grant): string {
  checkGrant(grant);
  return edit(text, (yaml) => {
    if (isLimitName(grant.kind)) {
      ensureMap(yaml, ['permissions', 'resources', 'limits']).set(grant.kind, grant.value);
      return;
    }
    const list = ensureList(yaml, sectionOf(grant.kind));
    const known = list.items.find((item) => isRuleFor(item, grant));
    if (!known) list.add(createRule(yaml, grant));
    else if (grant.kind === 'storage') addAccess(yaml, known, grant.access ?? []);
    else if (grant.kind === 'secret') setTemplate(known as YAMLMap, grant.use?.value);
  });
}

/** Throws `grant-not-found` if there is nothing to take back. */
export function revokePermission(text: string, revocation: Revocation): string {
  return edit(text, (yaml) => {
    const found = isLimitName(revocation.kind)
      ? removeLimit(yaml, revocation.kind)
      : removeRules(yaml, revocation);
    if (found) return prune(yaml, revocation.kind);
    throw new WitboxError('grant-not-found', {
      kind: revocation.kind,
      value: quote(revocation.value ?? 'limit').slice(1, -1),
    });
  });
}

/** Takes back everything, or everything of one kind, deny rules included: back to the default. */
export function resetPermissions(text: string, kind?: GrantKind): string {
  return edit(text, (yaml) => {
    if (kind === undefined) yaml.deleteIn(['permissions']);
    else if (isLimitName(kind)) removeLimit(yaml, kind);
    else if (yaml.hasIn(['permissions', sectionOf(kind)])) yaml.deleteIn(['permissions', sectionOf(kind)]);
    if (kind !== undefined) prune(yaml, kind);
  });
}

function edit(text: string, change: (yaml: Document) => void): string {
  parsePolicy(text);
  const { yaml } = readDocument(text);
  const before = yaml.toString();
  change(yaml);
  if (yaml.toString() === before) return text;
  const result = yaml.toString({
    lineWidth: 0,
    indentSeq: indentsLists(text),
    flowCollectionPadding: /[[{] /.test(text),
  });
  parsePolicy(result);
  return result;
}

/** Whether the first list below a key stands further right than the key, which is also the style for new documents. */
function indentsLists(text: string): boolean {
  let key = -1;
  for (const line of text.split('\n')) {
    const content = line.trim();
    const indent = line.length - line.trimStart().length;
    if (content === '' || content.startsWith('#')) continue;
    if (content.startsWith('- ') && key >= 0) return indent > key;
    key = /:(?:\s+#.*)?$/.test(content) ? indent : -1;
  }
  return true;
}

/** The mapping at that path, made where there is none; an empty one in flow style becomes a block. */
function ensureMap(yaml: Document, path: readonly string[]): YAMLMap {
  return path.reduce<YAMLMap>(
    (parent, key) => ensureChild(parent, key, isMap, createMap()),
    yaml.contents as YAMLMap,
  );
}

function ensureList(yaml: Document, section: string): YAMLSeq {
  return ensureChild(ensureMap(yaml, ['permissions', section]), 'allow', isSeq, createSeq());
}

function ensureChild<T extends YAMLMap | YAMLSeq>(
  parent: YAMLMap,
  key: string,
  is: (node: unknown) => boolean,
  fresh: T,
): T {
  const found = parent.get(key, true) as unknown;
  if (is(found) && (found as T).items.length > 0) return found as T;
  if (isNode(found)) copyComments(found, fresh);
  // Through the pair, so that the key keeps its own comments and place.
  parent.set(key, fresh);
  return fresh;
}

function copyComments(from: Node, to: Node): void {
  if (from.comment) to.commentBefore = from.comment;
  if (from.commentBefore) to.commentBefore = from.commentBefore;
}

function createRule(yaml: Document, grant: Grant): Node {
  const rule = yaml.createNode({ ...ruleFields(grant) });
  if (grant.kind === 'storage')
    (rule as YAMLMap).set('access', yaml.createNode([...(grant.access ?? [])], { flow: true }));
  return rule as Node;
}

function isRuleFor(item: unknown, { kind, value = '', use }: Revocation): boolean {
  if (!isMap(item)) return false;
  if (kind === 'storage') return item.get('uri') === value;
  if (isNamedSection(kind)) return item.get(NAMED_SECTIONS[kind]) === value;
  if (kind === 'secret') return isSecretRuleFor(item, value, use);
  const field = (key: string): string | undefined => (item.has(key) ? String(item.get(key)) : undefined);
  const here = parseEndpoint({
    host: field('host'),
    cidr: field('cidr'),
    scheme: field('scheme'),
    port: field('port'),
  });
  const asked = parseEndpoint(ruleFields({ kind, value }));
  return !('problem' in here) && !('problem' in asked) && endpointKey(here) === endpointKey(asked);
}

/** All rules for a secret, or the one that sets the same thing at the same host. */
function isSecretRuleFor(item: YAMLMap, key: string, use: Grant['use']): boolean {
  if (item.get('key') !== key) return false;
  if (use === undefined) return true;
  const here = parseSecretUse(item.toJSON() as SecretParts);
  const asked = parseSecretUse({ key, ...use });
  return !('problem' in here) && !('problem' in asked) && secretUseKey(here) === secretUseKey(asked);
}

function setTemplate(rule: YAMLMap, template: string | undefined): void {
  if (template === undefined) rule.delete('value');
  else if (rule.get('value') !== template) rule.set('value', template);
}

function addAccess(yaml: Document, rule: unknown, access: readonly Access[]): void {
  const list = (rule as YAMLMap).get('access') as YAMLSeq;
  const present = accessOf(list);
  for (const each of access) if (!present.includes(each)) list.add(yaml.createNode(each));
}

function removeRules(yaml: Document, revocation: Revocation): boolean {
  if (isLimitName(revocation.kind)) return false;
  const list = yaml.getIn(['permissions', sectionOf(revocation.kind), 'allow']);
  if (!isSeq(list)) return false;
  let found = false;
  list.items = list.items.filter((item) => {
    if (!isRuleFor(item, revocation)) return true;
    const access = revocation.kind === 'storage' ? ((item as YAMLMap).get('access') as YAMLSeq) : undefined;
    const taken = revocation.access ?? ['read', 'write'];
    if (!access) {
      found = true;
      return false;
    }
    if (!accessOf(access).some((each) => taken.includes(each as Access))) return true;
    found = true;
    access.items = access.items.filter((each) => !taken.includes(scalarText(each) as Access));
    return access.items.length > 0;
  });
  return found;
}

function removeLimit(yaml: Document, kind: GrantKind): boolean {
  const path = ['permissions', 'resources', 'limits', kind];
  return yaml.hasIn(path) && yaml.deleteIn(path);
}

/** Removes collections that a revocation left empty, from the inside out; what was said about their rules goes along. */
function prune(yaml: Document, kind: GrantKind): void {
  const path = isLimitName(kind)
    ? ['permissions', 'resources', 'limits']
    : ['permissions', sectionOf(kind), 'allow'];
  for (; path.length > 0; path.pop()) {
    const node = yaml.getIn(path, true);
    if (node === undefined) continue;
    if (!(isMap(node) || isSeq(node)) || node.items.length > 0) return;
    yaml.deleteIn(path);
  }
}

function accessOf(list: YAMLSeq): readonly string[] {
  return list.items.map(scalarText);
}

function scalarText(node: unknown): string {
  return isScalar(node) ? String(node.value) : String(node);
}
