// Type definitions: value, function and resource types, and component and instance types with their declarations,
// which are scopes of their own. Core type definitions too.

import type { DefinedType, InstanceType } from '../../wit/type.ts';
import type { CoreTypeAst, Declarator, TypeAst } from '../decode/ast.ts';
import { addAlias } from './aliases.ts';
import { sameList } from './core-match.ts';
import { moduleTypeOf } from './core-modules.ts';
import { resolveRecGroup } from './core-types.ts';
import { addImport, declareExport } from './externs.ts';
import { finishComponentType } from './finish.ts';
import { coreFuncAt, coreTypeAt, scopeAt } from './lookup.ts';
import { refuse } from './refuse.ts';
import { createScope, freshResource, pushTo, type Scope } from './scope.ts';
import { resolveFuncType, resolveValueType } from './value-types.ts';

export function addType(scope: Scope, ast: TypeAst, at: number): void {
  pushTo(scope, scope.types, define(scope, ast, at), at);
}

function define(scope: Scope, ast: TypeAst, at: number): DefinedType {
  switch (ast.kind) {
    case 'func':
      return { kind: 'func', type: resolveFuncType(scope, ast, at) };
    case 'resource':
      return defineResource(scope, ast, at);
    case 'component': {
      const inner = declare(scope, 'component type', ast.decls, at);
      return { kind: 'component', type: finishComponentType(inner, at) };
    }
    case 'instance': {
      const inner = declare(scope, 'instance type', ast.decls, at);
      const type: InstanceType = { exports: inner.exports.items, fresh: [...inner.definedResources] };
      scope.session.weights.set(type, inner.weight);
      return { kind: 'instance', type };
    }
    default:
      return { kind: 'value', type: resolveValueType(scope, ast, at) };
  }
}

function defineResource(scope: Scope, ast: TypeAst & { kind: 'resource' }, at: number): DefinedType {
  if (scope.kind !== 'component') refuse(at, 'resources can only be defined within a concrete component');
  if (ast.rep !== 'i32' && ast.rep !== 'i64') {
    refuse(at, 'resources can only be represented by `i32` or `i64`');
  }
  if (ast.dtor !== null) {
    const { params, results } = coreFuncAt(scope, ast.dtor, at);
    if (!sameList(params, [ast.rep]) || results.length > 0) {
      refuse(at, `core function ${ast.dtor} has wrong signature for a destructor`);
    }
  }
  const type = freshResource(scope, at);
  scope.definedResources.add(type);
  scope.localResources.set(type, ast.rep);
  scope.steps.push({ op: 'resource', slot: type.slot, dtor: ast.dtor });
  return { kind: 'resource', type };
}

function declare(
  parent: Scope,
  kind: 'component type' | 'instance type',
  decls: readonly Declarator[],
  at: number,
): Scope {
  const scope = createScope(kind, parent, parent.session, at);
  for (const decl of decls) {
    switch (decl.kind) {
      case 'core type':
        addCoreType(scope, decl.type, decl.at);
        break;
      case 'type':
        addType(scope, decl.type, decl.at);
        break;
      case 'alias':
        addAlias(scope, decl.alias, decl.at);
        break;
      case 'import':
        if (kind !== 'component type') refuse(decl.at, 'an instance type cannot import');
        addImport(scope, decl.name, decl.type, decl.at);
        break;
      case 'export':
        declareExport(scope, decl.name, decl.type, decl.at);
    }
  }
  return scope;
}

export function addCoreType(scope: Scope, ast: CoreTypeAst, at: number): void {
  if (ast.kind === 'module') {
    const outer = (count: number, index: number) => coreTypeAt(scopeAt(scope, count, at), index, at);
    const type = moduleTypeOf(ast.decls, outer, at);
    // A module type has no parts that components could share, so its own entries are its size.
    scope.session.weights.set(type, { size: 1 + type.imports.length + type.exports.length, depth: 1 });
    pushTo(scope, scope.coreTypes, { kind: 'module', type }, at);
    return;
  }
  const subTypeAt = (index: number) => {
    const found = coreTypeAt(scope, index, at);
    return found.kind === 'sub'
      ? found.type
      : refuse(at, `type index ${index} is a module type, not a sub type`);
  };
  for (const type of resolveRecGroup(ast.types, scope.coreTypes.length, subTypeAt, at)) {
    pushTo(scope, scope.coreTypes, { kind: 'sub', type }, at);
  }
}
