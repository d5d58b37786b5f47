// Whether an item can stand where another is asked for: instances may export more, components may import less and
// export more, functions and values must be equal (the specification leaves subtyping of values open; engines agree
// on equality). Resources are equal by identity, after what was given replaces what was asked for.
// Each function gives null if the types match, or the reason why they do not.

import type {
  ComponentType,
  DefinedType,
  ExternType,
  FuncType,
  InstanceType,
  ResourceType,
  ValType,
} from '../../wit/type.ts';
import { mismatchModule } from './core-match.ts';
import { quote } from './refuse.ts';
import { type Items, itemAt, resourcePaths } from './resource-paths.ts';

export interface MatchOptions {
  /** Whether two resources, each seen from its own component, are one. By default they must be the same object. */
  readonly sameResource?: (actual: ResourceType, expected: ResourceType) => boolean;
  /** Told how many steps come next; may throw to end too long a walk. */
  readonly visit?: (steps: number) => void;
  /** Tells types that mention no resource, for which being the same object is enough. */
  readonly isClosed?: (type: ValType) => boolean;
}

/** One comparison under way. Bound resources of either side are replaced by what stands for them on the other. */
export interface Match extends Required<MatchOptions> {
  readonly actual: Map<ResourceType, ResourceType>;
  readonly expected: Map<ResourceType, ResourceType>;
}

export function createMatch(options: MatchOptions = {}): Match {
  return {
    sameResource: (actual, expected) => actual === expected,
    visit: () => {},
    isClosed: () => false,
    ...options,
    actual: new Map(),
    expected: new Map(),
  };
}

const swapped = (match: Match): Match => ({
  ...match,
  actual: match.expected,
  expected: match.actual,
  sameResource: (a, b) => match.sameResource(b, a),
});

export function matchExtern(
  actual: ExternType,
  expected: ExternType,
  options: MatchOptions = {},
): string | null {
  return mismatchExtern(actual, expected, createMatch(options));
}

/**
 * Compares a set of items with what is asked for under the same names. `bound` are the resources that come with
 * `expected`: each is taken to be whatever stands at its place among `actual`.
 */
export function mismatchItems(
  actual: Items,
  expected: Items,
  bound: readonly ResourceType[],
  match: Match,
  kind: 'import' | 'export',
): string | null {
  const paths = bound.length > 0 ? resourcePaths(expected) : new Map<ResourceType, readonly string[]>();
  for (const resource of bound) {
    const path = paths.get(resource);
    const given = path && itemAt(actual, path);
    if (given?.kind === 'type' && given.type.kind === 'resource') {
      match.expected.set(resource, match.actual.get(given.type.type) ?? given.type.type);
    }
  }
  for (const [name, asked] of expected) {
    const given = actual.get(name);
    if (!given) return `missing ${kind} named ${quote(name)}`;
    const reason = mismatchExtern(given, asked, match);
    if (reason) return `type mismatch for ${kind} ${quote(name)}: ${reason}`;
  }
  return null;
}

export function mismatchExtern(actual: ExternType, expected: ExternType, match: Match): string | null {
  match.visit(1);
  if (expected.kind === 'type') {
    return actual.kind === 'type'
      ? mismatchDefined(actual.type, expected.type, match)
      : unlike(actual, expected);
  }
  if (expected.kind === 'module') {
    if (actual.kind !== 'module') return unlike(actual, expected);
    match.visit(actual.type.imports.length + actual.type.exports.length);
    return mismatchModule(actual.type, expected.type);
  }
  if (actual.kind === 'type' || actual.kind === 'module') return unlike(actual, expected);
  return mismatchDefined(actual, expected, match);
}

function mismatchDefined(actual: DefinedType, expected: DefinedType, match: Match): string | null {
  switch (expected.kind) {
    case 'resource':
      if (actual.kind !== 'resource') break;
      return isSame(actual.type, expected.type, match) ? null : 'resource types are not the same';
    case 'value':
      if (actual.kind !== 'value') break;
      return mismatchVal(actual.type, expected.type, match);
    case 'func':
      if (actual.kind !== 'func') break;
      return mismatchFunc(actual.type, expected.type, match);
    case 'instance':
      if (actual.kind !== 'instance') break;
      return mismatchInstance(actual.type, expected.type, match);
    case 'component':
      if (actual.kind !== 'component') break;
      return mismatchComponent(actual.type, expected.type, match);
  }
  return unlike(actual, expected);
}

const NOUNS: { readonly [kind: string]: string } = { value: 'defined type' };
const noun = (type: { readonly kind: string }) => NOUNS[type.kind] ?? type.kind;

function unlike(actual: { readonly kind: string }, expected: { readonly kind: string }): string {
  return `expected ${noun(expected)}, found ${noun(actual)}`;
}

function isSame(actual: ResourceType, expected: ResourceType, match: Match): boolean {
  const left = match.actual.get(actual);
  const right = match.expected.get(expected);
  if (left === undefined && right === undefined) return match.sameResource(actual, expected);
  return (left ?? actual) === (right ?? expected);
}

function mismatchInstance(actual: InstanceType, expected: InstanceType, match: Match): string | null {
  for (const [name, asked] of expected.exports) {
    const given = actual.exports.get(name);
    if (!given) return `missing expected export ${quote(name)}`;
    const reason = mismatchExtern(given, asked, match);
    if (reason) return `type mismatch in instance export ${quote(name)}: ${reason}`;
  }
  return null;
}

/** What the expected one may import must do for the actual one; what comes out of that must do in return. */
function mismatchComponent(actual: ComponentType, expected: ComponentType, match: Match): string | null {
  return (
    mismatchItems(expected.imports, actual.imports, actual.importedResources, swapped(match), 'import') ??
    mismatchItems(actual.exports, expected.exports, expected.definedResources, match, 'export')
  );
}

function mismatchFunc(actual: FuncType, expected: FuncType, match: Match): string | null {
  if (actual.async !== expected.async) {
    return `expected ${expected.async ? 'an async' : 'a sync'} function, found ${actual.async ? 'an async' : 'a sync'} one`;
  }
  if (actual.params.length !== expected.params.length) {
    return `expected ${expected.params.length} parameters, found ${actual.params.length}`;
  }
  for (const [index, asked] of expected.params.entries()) {
    const given = actual.params[index]!;
    if (!sameLabel(given.name, asked.name)) {
      return `expected parameter named ${quote(asked.name)}, found ${quote(given.name)}`;
    }
    const reason = mismatchVal(given.type, asked.type, match);
    if (reason) return `type mismatch in function parameter ${quote(asked.name)}: ${reason}`;
  }
  return mismatchOptional(actual.result, expected.result, match, 'result');
}

function mismatchOptional(
  actual: ValType | null,
  expected: ValType | null,
  match: Match,
  what: string,
): string | null {
  if (!actual || !expected) {
    if (actual === expected) return null;
    return `type mismatch in ${what}: expected ${expected ? 'a type, found none' : 'no type, found one'}`;
  }
  const reason = mismatchVal(actual, expected, match);
  return reason && `type mismatch in ${what}: ${reason}`;
}

function sameLabel(a: string, b: string): boolean {
  return a === b || a.toLowerCase() === b.toLowerCase();
}

function mismatchVal(actual: ValType, expected: ValType, match: Match): string | null {
  if (actual === expected && match.isClosed(actual)) return null;
  match.visit(1);
  switch (expected.kind) {
    case 'record':
      if (actual.kind !== 'record') break;
      return mismatchLabelled(actual.fields, expected.fields, match, 'field');
    case 'variant':
      if (actual.kind !== 'variant') break;
      return mismatchLabelled(actual.cases, expected.cases, match, 'case');
    case 'tuple': {
      if (actual.kind !== 'tuple') break;
      if (actual.items.length !== expected.items.length) {
        return `expected ${expected.items.length} types, found ${actual.items.length}`;
      }
      for (const [index, item] of expected.items.entries()) {
        const reason = mismatchVal(actual.items[index]!, item, match);
        if (reason) return `type mismatch in tuple field ${index}: ${reason}`;
      }
      return null;
    }
    case 'flags':
    case 'enum': {
      if (actual.kind !== expected.kind) break;
      const names = actual.names;
      const same =
        names.length === expected.names.length &&
        expected.names.every((name, index) => sameLabel(name, names[index]!));
      return same ? null : `mismatch in ${expected.kind} elements`;
    }
    case 'list':
      if (actual.kind !== 'list') break;
      return mismatchVal(actual.element, expected.element, match);
    case 'fixed-list':
      if (actual.kind !== 'fixed-list') break;
      if (actual.length !== expected.length) {
        return `expected fixed-length ${expected.length}, found size ${actual.length}`;
      }
      return mismatchVal(actual.element, expected.element, match);
    case 'option':
      if (actual.kind !== 'option') break;
      return mismatchVal(actual.some, expected.some, match);
    case 'result':
      if (actual.kind !== 'result') break;
      return (
        mismatchOptional(actual.ok, expected.ok, match, 'ok') ??
        mismatchOptional(actual.err, expected.err, match, 'err')
      );
    case 'map':
      if (actual.kind !== 'map') break;
      return mismatchVal(actual.key, expected.key, match) ?? mismatchVal(actual.value, expected.value, match);
    case 'stream':
    case 'future':
      if (actual.kind !== expected.kind) break;
      return mismatchOptional(actual.element, expected.element, match, expected.kind);
    case 'own':
    case 'borrow':
      if (actual.kind !== expected.kind) break;
      return isSame(actual.resource, expected.resource, match) ? null : 'resource types are not the same';
    default:
      if (actual.kind === expected.kind) return null;
  }
  return unlike(actual, expected);
}

type Labelled = readonly { readonly name: string; readonly type: ValType | null }[];

function mismatchLabelled(actual: Labelled, expected: Labelled, match: Match, what: string): string | null {
  if (actual.length !== expected.length)
    return `expected ${expected.length} ${what}s, found ${actual.length}`;
  for (const [index, asked] of expected.entries()) {
    const given = actual[index]!;
    if (!sameLabel(given.name, asked.name)) {
      return `expected ${what} named ${quote(asked.name)}, found ${quote(given.name)}`;
    }
    const reason = mismatchOptional(given.type, asked.type, match, `${what} ${quote(asked.name)}`);
    if (reason) return reason;
  }
  return null;
}
