// The name of an import or export, checked against its item: the grammar, the attributes, what `[constructor]`,
// `[method]` and `[static]` demand of the function, and that no other name of the same side clashes with it.

import type { ExternType, FuncType } from '../../wit/type.ts';
import type { ExternName } from '../decode/ast.ts';
import type { ResourceName } from './facts.ts';
import { type ParsedName, parseExternName } from './names.ts';
import { quote, refuse } from './refuse.ts';
import type { Session, Side } from './scope.ts';
import { isCanonicalVersion, isSemver } from './semver.ts';

export type Direction = 'import' | 'export';

/** Checks the name and adds the item to its side. */
export function addNamed(
  session: Session,
  side: Side,
  direction: Direction,
  extern: ExternName,
  type: ExternType,
  at: number,
): void {
  const { name } = extern;
  const parsed = parseExternName(name);
  if (!parsed) refuse(at, `${direction} name ${quote(name)} is not a valid extern name`);
  if (
    direction === 'export' &&
    (parsed.kind === 'dependency' || parsed.kind === 'url' || parsed.kind === 'hash')
  ) {
    refuse(at, `name ${quote(name)} is not a valid export name`);
  }
  checkAttributes(extern, parsed, type, at);
  const reason = annotationProblem(session, side, parsed, type);
  if (reason) refuse(at, `${direction} name ${quote(name)} is not valid: ${reason}`);
  const previous = side.keys.get(parsed.key);
  if (previous !== undefined) {
    refuse(at, `${direction} name ${quote(name)} conflicts with previous name ${quote(previous)}`);
  }
  side.keys.set(parsed.key, name);
  side.items.set(name, type);
}

function checkAttributes(extern: ExternName, parsed: ParsedName, type: ExternType, at: number): void {
  if (extern.implements !== undefined) {
    if (parsed.kind !== 'label') refuse(at, `name ${quote(extern.name)} is not valid with \`implements\``);
    if (type.kind !== 'instance') refuse(at, 'only instances can have an `implements`');
    const target = parseExternName(extern.implements);
    if (!target) refuse(at, `${quote(extern.implements)} is not a valid name`);
    if (target.kind !== 'interface') refuse(at, `name ${quote(extern.implements)} must be an interface`);
    checkVersion(target.version, undefined, at);
  }
  if (extern.versionSuffix !== undefined) {
    if (type.kind !== 'instance') refuse(at, 'only instances can have a `versionsuffix`');
    if (parsed.version === null || !isCanonicalVersion(parsed.version)) {
      refuse(at, '`versionsuffix` needs an interface name with a canonical version');
    }
  }
  if (parsed.kind === 'interface') checkVersion(parsed.version, extern.versionSuffix, at);
}

function checkVersion(version: string | null, suffix: string | undefined, at: number): void {
  const whole = (version ?? '') + (suffix ?? '');
  if (version !== null && !isSemver(whole)) refuse(at, `invalid interface version ${quote(whole)}`);
}

function annotationProblem(session: Session, side: Side, name: ParsedName, type: ExternType): string | null {
  if (name.kind !== 'constructor' && name.kind !== 'method' && name.kind !== 'static') return null;
  if (type.kind !== 'func') return 'item is not a func';
  if (name.kind === 'static') {
    return side.resourceLabels.has(name.resource)
      ? null
      : 'static resource name is not known in this context';
  }
  const found =
    name.kind === 'method' ? methodResource(session, type.type) : constructorResource(session, type.type);
  if (typeof found === 'string') return found;
  const label = side.resources.get(found);
  if (label === undefined) return 'resource used in function does not have a name in this context';
  return label === name.resource ? null : `function does not match expected resource name ${quote(label)}`;
}

function methodResource(session: Session, type: FuncType): ResourceName | string {
  const [self] = type.params;
  if (!self) return 'function should have at least one argument';
  if (self.name !== 'self') return 'function should have a first argument called `self`';
  if (self.type.kind !== 'borrow') return 'function should take a first argument of `(borrow $T)`';
  return session.handleNames.get(self.type)!;
}

function constructorResource(session: Session, type: FuncType): ResourceName | string {
  if (type.async) return 'constructor function cannot be async';
  if (!type.result) return 'function should return one value';
  const made = type.result.kind === 'result' ? type.result.ok : type.result;
  if (made?.kind !== 'own') return 'function should return `(own $T)` or `(result (own $T))`';
  return session.handleNames.get(made)!;
}
