// Imports and exports of components and of component and instance types: what kind of item comes in or goes out, which
// resources are new with it, and what the plan does about it.

import type { DefinedType, ExternType, InstanceType, ResourceType } from '../../wit/type.ts';
import type { ExternName, ExternTypeAst, SortIndex } from '../decode/ast.ts';
import type { ItemRef, ResourceBinding } from '../plan.ts';
import { addNamed, type Direction } from './extern-names.ts';
import { isPrimitive } from './facts.ts';
import { componentTypeAt, coreTypeAt, entryAt, funcTypeAt, instanceTypeAt, typeAt } from './lookup.ts';
import { registerNamed } from './named-types.ts';
import { refuse } from './refuse.ts';
import { resourcePaths } from './resource-paths.ts';
import {
  bindTo,
  createSide,
  externWeight,
  factsOf,
  freshResource,
  pushInstance,
  pushTo,
  type Scope,
  spend,
  weigh,
} from './scope.ts';
import { createSubstitution, substituteItems } from './substitute.ts';
import { createMatch, type Match, mismatchExtern } from './subtype.ts';

const NO_VALUES = 'component values are not accepted';

export function addImport(scope: Scope, name: ExternName, ast: ExternTypeAst, at: number): void {
  const { type, brought } = bringIn(scope, name.name, ast, at);
  for (const { resource } of brought) scope.importedResources.push(resource);
  introduce(scope, 'import', name, type, at);
  if (scope.kind !== 'component') return;
  const bind: ResourceBinding[] = brought.map(({ resource, path }) => bindTo(resource, path));
  scope.steps.push({ op: 'import', name: name.name, type, bind });
}

/** An export declared in a component or instance type. */
export function declareExport(scope: Scope, name: ExternName, ast: ExternTypeAst, at: number): void {
  const { type, brought } = bringIn(scope, name.name, ast, at);
  for (const { resource } of brought) scope.definedResources.add(resource);
  introduce(scope, 'export', name, type, at);
}

/** An export of a component: an item of its own, perhaps shown under a more general type. */
export function addExport(
  scope: Scope,
  name: ExternName,
  source: SortIndex,
  ascribed: ExternTypeAst | null,
  at: number,
): void {
  const { item, type: inferred } = itemOf(scope, source, at);
  let type =
    inferred.kind === 'type' ? { kind: 'type' as const, type: aliasOf(scope, inferred.type) } : inferred;
  if (ascribed) {
    type = externType(scope, ascribed, at);
    const reason = mismatchExtern(inferred, type, matchIn(scope, at));
    if (reason) refuse(at, `ascribed type of export is not compatible with item's type: ${reason}`);
  }
  introduce(scope, 'export', name, type, at);
  nameResources(name.name, type);
  scope.steps.push({ op: 'export', name: name.name, item, type });
}

/** Resources defined here have no names of their own; people know them by what they are exported as. */
function nameResources(name: string, type: ExternType): void {
  for (const [resource, path] of resourcePaths(new Map([[name, type]]))) resource.name ??= path.at(-1)!;
}

/** An instance made of items at hand. */
export function bagOfExports(
  scope: Scope,
  exports: readonly { readonly name: ExternName; readonly item: SortIndex }[],
  at: number,
): void {
  // A bag introduces no indices, so no resource in it has a name that methods could refer to.
  const side = createSide();
  const listed: { name: string; item: ItemRef; type: ExternType }[] = [];
  for (const { name, item: source } of exports) {
    const { item, type } = itemOf(scope, source, at);
    addNamed(scope.session, side, 'export', name, type, at);
    listed.push({ name: name.name, item, type });
  }
  const type: InstanceType = { exports: side.items, fresh: [] };
  const weights = listed.map((one) => externWeight(scope.session, one.type));
  scope.session.weights.set(type, weigh(scope.session, weights, at));
  pushInstance(scope, scope.instances, type, at);
  scope.steps.push({ op: 'exports', exports: listed });
}

/** A definition of this scope, as an export or instantiation names it. */
export function itemOf(
  scope: Scope,
  { sort, index }: SortIndex,
  at: number,
): { readonly item: ItemRef; readonly type: ExternType } {
  switch (sort) {
    case 'core module':
      return {
        item: { sort: 'module', index },
        type: { kind: 'module', type: entryAt(scope.modules, 'module', index, at) },
      };
    case 'func':
      return {
        item: { sort, index },
        type: { kind: sort, type: entryAt(scope.funcs, 'function', index, at) },
      };
    case 'instance':
      return {
        item: { sort, index },
        type: { kind: sort, type: entryAt(scope.instances, 'instance', index, at) },
      };
    case 'component':
      return {
        item: { sort, index },
        type: { kind: sort, type: entryAt(scope.components, 'component', index, at) },
      };
    case 'type': {
      const type = typeAt(scope, index, at);
      const slot = type.kind === 'resource' ? type.type.slot : null;
      return { item: { sort, slot }, type: { kind: sort, type } };
    }
    case 'value':
      return refuse(at, NO_VALUES);
    default:
      return refuse(at, `a ${sort} cannot be exported or given to a component`);
  }
}

/** Pushes an item onto the index space of its sort. */
export function pushItem(scope: Scope, item: ExternType, at: number): void {
  switch (item.kind) {
    case 'module':
      pushTo(scope, scope.modules, item.type, at);
      break;
    case 'func':
      pushTo(scope, scope.funcs, item.type, at);
      break;
    case 'type':
      pushTo(scope, scope.types, item.type, at);
      break;
    case 'instance':
      pushInstance(scope, scope.instances, item.type, at);
      break;
    case 'component':
      pushTo(scope, scope.components, item.type, at);
      break;
  }
}

export function matchIn(scope: Scope, at: number): Match {
  const { session } = scope;
  return createMatch({
    visit: (steps) => spend(session, at, steps),
    isClosed: (type) => !factsOf(session, type).hasResource,
  });
}

function externType(scope: Scope, ast: ExternTypeAst, at: number): ExternType {
  switch (ast.kind) {
    case 'core module': {
      const found = coreTypeAt(scope, ast.type, at);
      if (found.kind !== 'module') refuse(at, `core type index ${ast.type} is not a module type`);
      return found;
    }
    case 'func':
      return { kind: 'func', type: funcTypeAt(scope, ast.type, at) };
    case 'instance':
      return { kind: 'instance', type: instanceTypeAt(scope, ast.type, at) };
    case 'component':
      return { kind: 'component', type: componentTypeAt(scope, ast.type, at) };
    case 'type eq':
      return { kind: 'type', type: aliasOf(scope, typeAt(scope, ast.type, at)) };
    case 'type sub resource':
      return { kind: 'type', type: { kind: 'resource', type: freshResource(scope, at) } };
    case 'value':
    case 'value eq':
      return refuse(at, NO_VALUES);
  }
}

/** The same type under a new name: a new object where names are told apart by identity. */
function aliasOf(scope: Scope, defined: DefinedType): DefinedType {
  if (defined.kind === 'resource') return { kind: 'resource', type: defined.type };
  if (defined.kind !== 'value' || isPrimitive(defined.type)) return defined;
  const type = { ...defined.type };
  const name = scope.session.handleNames.get(defined.type);
  if (name) scope.session.handleNames.set(type, name);
  scope.session.facts.set(type, factsOf(scope.session, defined.type));
  return { kind: 'value', type };
}

interface Brought {
  readonly resource: ResourceType;
  readonly path: readonly string[];
}

/** Gives every resource that comes with an item a fresh identity in this scope, so that two imports never share one. */
function bringIn(
  scope: Scope,
  name: string,
  ast: ExternTypeAst,
  at: number,
): { readonly type: ExternType; readonly brought: readonly Brought[] } {
  if (ast.kind === 'type sub resource') {
    const resource = freshResource(scope, at, name);
    return {
      type: { kind: 'type', type: { kind: 'resource', type: resource } },
      brought: [{ resource, path: [] }],
    };
  }
  const asked = externType(scope, ast, at);
  if (asked.kind !== 'instance' || asked.type.fresh.length === 0) return { type: asked, brought: [] };
  const { session } = scope;
  const paths = resourcePaths(asked.type.exports);
  const resources = new Map<ResourceType, ResourceType>();
  const brought = asked.type.fresh.map((old) => {
    const path = paths.get(old)!;
    const resource = freshResource(scope, at, path.at(-1));
    resources.set(old, resource);
    return { resource, path };
  });
  const exports = substituteItems(asked.type.exports, createSubstitution(session, at, resources));
  const type: InstanceType = { exports, fresh: [] };
  session.weights.set(type, externWeight(session, asked));
  return { type: { kind: 'instance', type }, brought };
}

function introduce(scope: Scope, direction: Direction, name: ExternName, type: ExternType, at: number): void {
  const { session } = scope;
  const side = direction === 'import' ? scope.imports : scope.exports;
  const weight = externWeight(session, type);
  spend(session, at, weight.size);
  pushItem(scope, type, at);
  if (type.kind === 'type' && type.type.kind === 'resource') {
    side.resources.set(type.type, name.name);
    side.resourceLabels.add(name.name);
  }
  if (!registerNamed(scope, direction, type)) {
    refuse(at, `${type.kind} not valid to be used as ${direction}: it mentions a type that has no name here`);
  }
  addNamed(session, side, direction, name, type, at);
  scope.weight = weigh(session, [weight], at, scope.weight);
}
