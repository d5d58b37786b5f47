// Types of core modules: of a module found in the binary, read off its outline, and of a `module` type definition.
// Both end as CoreModuleType, with each import and export typed and every index resolved.

import type {
  CoreExport,
  CoreExternType,
  CoreFuncType,
  CoreImport,
  CoreLimits,
  CoreModuleType,
} from '../../wit/type.ts';
import type { CoreExternTypeAst, CoreModuleAst, CoreModuleDecl } from '../decode/ast.ts';
import {
  type CoreSubType,
  type CoreTypeEntry,
  isPlainFunc,
  plainFunc,
  resolveRecGroup,
  spellValType,
} from './core-types.ts';
import { quote, refuse } from './refuse.ts';

/** Looks up a core type of an enclosing component: 0 is the one the module type stands in. */
type OuterType = (count: number, index: number) => CoreTypeEntry;

interface ModuleScope {
  /** A plain function type stands here as it was read until somebody asks for it: few of a module's types matter. */
  readonly types: (CoreSubType | Parameters<typeof plainFunc>[0])[];
  readonly at: number;
}

/**
 * The type of a module found in a component, where `at` is its start in the file, or standing alone: then it may import
 * one thing twice, as some compilers do.
 */
export function coreModuleType(module: CoreModuleAst, at: number | 'alone' = 'alone'): CoreModuleType {
  if (at === 'alone') return typeOf(module, 0);
  const { imports, exports } = typeOf(module, at);
  return checked(imports, exports, at);
}

function typeOf(module: CoreModuleAst, at: number): CoreModuleType {
  const scope: ModuleScope = { types: [], at };
  for (const type of module.types) {
    if (type.kind !== 'rec') refuse(at, 'a core module cannot define module types');
    addRecGroup(scope, type.types);
  }
  const imports = module.imports.map((one) => ({
    module: one.module,
    name: one.name,
    type: externType(scope, one.type),
  }));
  const exports = module.exports.map((one) => ({ name: one.name, type: exportType(scope, module, one) }));
  return { imports, exports };
}

/** The type that a `(core type (module …))` definition describes. */
export function moduleTypeOf(decls: readonly CoreModuleDecl[], outer: OuterType, at: number): CoreModuleType {
  const scope: ModuleScope = { types: [], at };
  const imports: CoreImport[] = [];
  const exports: CoreExport[] = [];
  for (const decl of decls) {
    switch (decl.kind) {
      case 'type':
        if (decl.type.kind !== 'rec') refuse(at, 'a module type cannot define module types');
        addRecGroup(scope, decl.type.types);
        break;
      case 'outer alias': {
        const found: CoreTypeEntry =
          decl.count === 0
            ? { kind: 'sub', type: typeAt(scope, decl.index) }
            : outer(decl.count - 1, decl.index);
        if (found.kind !== 'sub') refuse(at, 'a module type cannot alias a module type');
        scope.types.push(found.type);
        break;
      }
      case 'import':
        imports.push({ module: decl.module, name: decl.name, type: externType(scope, decl.type) });
        break;
      case 'export':
        exports.push({ name: decl.name, type: externType(scope, decl.type) });
    }
  }
  return checked(imports, exports, at);
}

function addRecGroup(scope: ModuleScope, types: Parameters<typeof resolveRecGroup>[0]): void {
  const [only] = types;
  if (types.length === 1 && isPlainFunc(only!)) {
    scope.types.push(only);
    return;
  }
  const group = resolveRecGroup(types, scope.types.length, (index) => typeAt(scope, index), scope.at);
  for (const type of group) scope.types.push(type);
}

function typeAt(scope: ModuleScope, index: number): CoreSubType {
  const type = scope.types[index];
  if (!type) refuse(scope.at, `unknown core type ${index}: type index out of bounds`);
  if ('lineage' in type) return type;
  const resolved = plainFunc(type);
  scope.types[index] = resolved;
  return resolved;
}

function funcTypeAt(scope: ModuleScope, index: number): CoreFuncType {
  return typeAt(scope, index).func ?? refuse(scope.at, `core type ${index} is not a function type`);
}

function externType(scope: ModuleScope, type: CoreExternTypeAst): CoreExternType {
  switch (type.kind) {
    case 'func':
      return { kind: 'func', type: funcTypeAt(scope, type.type) };
    case 'table':
      checkLimits(type.limits, MAX_TABLE, 'table', scope.at);
      return { kind: 'table', element: spellValType(type.element, byIndex(scope)), limits: type.limits };
    case 'memory': {
      const pages = 1n << (BigInt(type.limits.is64 ? 64 : 32) - BigInt(type.pageSizeLog2));
      checkLimits(type.limits, pages, 'memory', scope.at);
      if (type.limits.shared && type.limits.max === null) {
        refuse(scope.at, 'a shared memory must have a maximum size');
      }
      return type;
    }
    case 'global':
      return { kind: 'global', type: spellValType(type.type, byIndex(scope)), mutable: type.mutable };
    case 'tag': {
      const func = funcTypeAt(scope, type.type);
      if (func.results.length > 0) refuse(scope.at, 'the type of a tag cannot have results');
      return { kind: 'tag', type: func };
    }
  }
}

const MAX_TABLE = (1n << 32n) - 1n;

function checkLimits(limits: CoreLimits, most: bigint, what: string, at: number): void {
  const { min, max } = limits;
  if (min > most || (max !== null && max > most)) refuse(at, `${what} size must be at most ${most}`);
  if (max !== null && min > max) refuse(at, `minimum size of a ${what} must not be greater than its maximum`);
}

const byIndex = (scope: ModuleScope) => (index: number) => typeAt(scope, index);

function exportType(
  scope: ModuleScope,
  module: CoreModuleAst,
  one: CoreModuleAst['exports'][number],
): CoreExternType {
  const { kind, index } = one;
  if (kind === 'func') {
    const type = module.functions[index];
    if (type !== undefined) return externType(scope, { kind: 'func', type });
  } else {
    const spaces = {
      table: module.tables,
      memory: module.memories,
      global: module.globals,
      tag: module.tags,
    };
    const type = spaces[kind][index];
    if (type) return externType(scope, type);
  }
  return refuse(scope.at, `core module exports unknown ${kind} ${index}`);
}

/** Components find imports by module and name, so a pair may occur once only. */
function checked(imports: readonly CoreImport[], exports: readonly CoreExport[], at: number): CoreModuleType {
  const seen = new Map<string, Set<string>>();
  for (const { module, name } of imports) {
    const names = seen.get(module) ?? new Set();
    seen.set(module, names);
    if (names.has(name)) {
      refuse(at, `core module has a duplicate import name ${quote(name)} from ${quote(module)}`);
    }
    names.add(name);
  }
  const exported = new Set<string>();
  for (const { name } of exports) {
    if (exported.has(name)) refuse(at, `core module exports ${quote(name)} twice`);
    exported.add(name);
  }
  return { imports, exports };
}
