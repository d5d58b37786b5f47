// Aliases: of an instance's export, of a core instance's export, of a definition of an enclosing component.
// Types exist only while validating, so an alias of a type leaves no step in the plan.

import type { DefinedType, ResourceType } from '../../wit/type.ts';
import type { AliasAst } from '../decode/ast.ts';
import { pushItem } from './externs.ts';
import { coreTypeAt, entryAt, scopeAt, typeAt } from './lookup.ts';
import { quote, refuse } from './refuse.ts';
import { freeInDefined } from './resource-paths.ts';
import { definedWeight, factsOf, pushTo, type Scope, spend } from './scope.ts';

export function addAlias(scope: Scope, alias: AliasAst, at: number): void {
  if (scope.kind !== 'component' && !isAllowedInTypes(alias)) {
    refuse(at, 'aliases in a component or instance type may only refer to types or instances');
  }
  switch (alias.kind) {
    case 'export':
      aliasExport(scope, alias, at);
      break;
    case 'core export':
      aliasCoreExport(scope, alias, at);
      break;
    case 'outer':
      aliasOuter(scope, alias, at);
      break;
  }
}

function isAllowedInTypes(alias: AliasAst): boolean {
  if (alias.kind === 'export') return alias.sort === 'type' || alias.sort === 'instance';
  return alias.kind === 'outer' && (alias.sort === 'type' || alias.sort === 'core type');
}

function aliasExport(scope: Scope, alias: AliasAst & { kind: 'export' }, at: number): void {
  const { name, sort, instance } = alias;
  if (sort === 'value') refuse(at, 'component values are not accepted');
  const item = entryAt(scope.instances, 'instance', instance, at).exports.get(name);
  if (!item) refuse(at, `instance ${instance} has no export named ${quote(name)}`);
  const wanted = sort === 'core module' ? 'module' : sort;
  if (item.kind !== wanted) refuse(at, `export ${quote(name)} for instance ${instance} is not a ${wanted}`);
  pushItem(scope, item, at);
  if (scope.kind === 'component' && item.kind !== 'type') {
    scope.steps.push({ op: 'alias', sort: item.kind, instance, name });
  }
}

function aliasCoreExport(scope: Scope, alias: AliasAst & { kind: 'core export' }, at: number): void {
  const { name, sort, instance } = alias;
  const item = entryAt(scope.coreInstances, 'core instance', instance, at).get(name);
  if (!item) refuse(at, `core instance ${instance} has no export named ${quote(name)}`);
  if (item.kind !== sort) refuse(at, `export ${quote(name)} for core instance ${instance} is not a ${sort}`);
  switch (item.kind) {
    case 'func':
      pushTo(scope, scope.coreFuncs, item.type, at);
      break;
    case 'table':
      pushTo(scope, scope.tables, item, at);
      break;
    case 'memory':
      pushTo(scope, scope.memories, item, at);
      break;
    case 'global':
      pushTo(scope, scope.globals, item, at);
      break;
    case 'tag':
      pushTo(scope, scope.tags, item.type, at);
  }
  scope.steps.push({ op: 'core alias', sort, instance, name });
}

function aliasOuter(scope: Scope, alias: AliasAst & { kind: 'outer' }, at: number): void {
  const { sort, count, index } = alias;
  const outer = scopeAt(scope, count, at);
  switch (sort) {
    case 'core type':
      pushTo(scope, scope.coreTypes, coreTypeAt(outer, index, at), at);
      return;
    case 'type': {
      const type = typeAt(outer, index, at);
      if (crossesComponent(scope, count)) checkClosed(scope, type, at);
      pushTo(scope, scope.types, type, at);
      return;
    }
    case 'core module':
      pushTo(scope, scope.modules, entryAt(outer.modules, 'module', index, at), at);
      break;
    case 'component': {
      const type = entryAt(outer.components, 'component', index, at);
      if (count > 0) checkClosed(scope, { kind: 'component', type }, at);
      pushTo(scope, scope.components, type, at);
      break;
    }
    default:
      refuse(at, `a ${sort} cannot be aliased from an enclosing component`);
  }
  scope.steps.push({ op: 'outer alias', sort: sort === 'component' ? sort : 'module', count, index });
}

/** Whether the way out leads through the border of a component, rather than only out of types within it. */
function crossesComponent(scope: Scope, count: number): boolean {
  let crossed = scope;
  for (let left = count; left > 1; left--) crossed = crossed.parent!;
  return count > 0 && crossed.kind === 'component';
}

/** A component could otherwise not be taken out of the one that it stands in. */
function checkClosed(scope: Scope, type: DefinedType, at: number): void {
  const free = new Set<ResourceType>();
  spend(scope.session, at, definedWeight(scope.session, type).size);
  freeInDefined(type, free, (part) => factsOf(scope.session, part).hasResource);
  if (free.size > 0) {
    refuse(
      at,
      'cannot alias outer type which transitively refers to resources not defined in the current component',
    );
  }
}
