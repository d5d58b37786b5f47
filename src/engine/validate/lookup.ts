// Reads of a scope's index spaces, each with its bounds check and, for types, the check that the type is of the
// kind the definition asks for.

import type {
  ComponentType,
  CoreExternType,
  CoreFuncType,
  DefinedType,
  FuncType,
  InstanceType,
  ValType,
} from '../../wit/type.ts';
import type { CoreSort } from '../decode/ast.ts';
import type { CoreTypeEntry } from './core-types.ts';
import type { ResourceName } from './facts.ts';
import { refuse } from './refuse.ts';
import type { Scope } from './scope.ts';

export function entryAt<T>(space: readonly T[], what: string, index: number, at: number): T {
  if (index >= space.length) refuse(at, `unknown ${what} ${index}: ${what} index out of bounds`);
  return space[index]!;
}

export function typeAt(scope: Scope, index: number, at: number): DefinedType {
  return entryAt(scope.types, 'type', index, at);
}

export function valTypeAt(scope: Scope, index: number, at: number): ValType {
  const type = typeAt(scope, index, at);
  return type.kind === 'value' ? type.type : refuse(at, `type index ${index} is not a defined type`);
}

export function resourceNameAt(scope: Scope, index: number, at: number): ResourceName {
  const type = typeAt(scope, index, at);
  return type.kind === 'resource' ? type : refuse(at, `type index ${index} is not a resource type`);
}

export function funcTypeAt(scope: Scope, index: number, at: number): FuncType {
  const type = typeAt(scope, index, at);
  return type.kind === 'func' ? type.type : refuse(at, `type index ${index} is not a function type`);
}

export function instanceTypeAt(scope: Scope, index: number, at: number): InstanceType {
  const type = typeAt(scope, index, at);
  return type.kind === 'instance' ? type.type : refuse(at, `type index ${index} is not an instance type`);
}

export function componentTypeAt(scope: Scope, index: number, at: number): ComponentType {
  const type = typeAt(scope, index, at);
  return type.kind === 'component' ? type.type : refuse(at, `type index ${index} is not a component type`);
}

export function coreTypeAt(scope: Scope, index: number, at: number): CoreTypeEntry {
  return entryAt(scope.coreTypes, 'core type', index, at);
}

export function coreFuncAt(scope: Scope, index: number, at: number): CoreFuncType {
  return entryAt(scope.coreFuncs, 'core function', index, at);
}

/** A core item by sort and index, as an export of a core instance. */
export function coreItemAt(scope: Scope, sort: CoreSort, index: number, at: number): CoreExternType {
  switch (sort) {
    case 'func':
      return { kind: 'func', type: coreFuncAt(scope, index, at) };
    case 'table':
      return entryAt(scope.tables, 'table', index, at);
    case 'memory':
      return entryAt(scope.memories, 'memory', index, at);
    case 'global':
      return entryAt(scope.globals, 'global', index, at);
    case 'tag':
      return { kind: 'tag', type: entryAt(scope.tags, 'tag', index, at) };
    default:
      return refuse(at, `core instances cannot export a core ${sort}`);
  }
}

/** The scope `count` levels out, 0 being the current one. */
export function scopeAt(scope: Scope, count: number, at: number): Scope {
  let found: Scope | null = count < scope.depth ? scope : null;
  for (let left = count; found && left > 0; left--) found = found.parent;
  return found ?? refuse(at, `invalid outer alias count of ${count}`);
}
