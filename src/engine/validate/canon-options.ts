// Canonical options: what each may refer to, and which go together (CanonicalABI.md, "canonopt Validation").

import type { CoreFuncType, FuncType } from '../../wit/type.ts';
import type { CanonOptionsAst } from '../decode/ast.ts';
import type { CanonOptions } from '../plan.ts';
import { sameList } from './core-match.ts';
import { coreFuncAt, coreTypeAt, entryAt } from './lookup.ts';
import { refuse } from './refuse.ts';
import type { Scope } from './scope.ts';

export function resolveOptions(
  scope: Scope,
  ast: CanonOptionsAst,
  at: number,
  type: FuncType | null = null,
): CanonOptions {
  if (ast.gc || ast.coreType !== null) checkGc(ast, at, type);
  if (!ast.async && ast.callback !== null) refuse(at, 'cannot specify callback without async');
  if (ast.async && ast.postReturn !== null) refuse(at, 'cannot specify post-return function in async');
  const memory64 = ast.memory !== null && isMemory64(scope, ast.memory, at);
  if (ast.realloc !== null) {
    if (ast.memory === null) refuse(at, 'canonical option `realloc` requires `memory` to also be specified');
    const { params, results } = coreFuncAt(scope, ast.realloc, at);
    const address = memory64 ? 'i64' : 'i32';
    if (!sameList(params, [address, address, address, address]) || !sameList(results, [address])) {
      refuse(at, 'canonical option `realloc` uses a core function with an incorrect signature');
    }
  }
  return {
    encoding: ast.encoding ?? 'utf8',
    memory: ast.memory,
    memory64,
    realloc: ast.realloc,
    postReturn: ast.postReturn,
    async: ast.async,
    callback: ast.callback,
  };
}

/** Values as GC references are not accepted; where no value is passed, how it would be makes no difference. */
function checkGc(ast: CanonOptionsAst, at: number, type: FuncType | null): void {
  if (!ast.gc || type === null || type.params.length > 0 || type.result !== null) {
    refuse(at, 'canonical options `gc` and `core-type` are not accepted');
  }
}

/** The core function type that a lowering asks for, if it does. */
export function coreTypeOption(scope: Scope, ast: CanonOptionsAst, at: number): CoreFuncType | null {
  if (ast.coreType === null) {
    if (ast.gc) refuse(at, 'cannot specify `gc` without also specifying a `core-type` for lowerings');
    return null;
  }
  const core = coreTypeAt(scope, ast.coreType, at);
  const func = core.kind === 'sub' ? core.type.func : null;
  return func ?? refuse(at, 'canonical option `core-type` is not a function type');
}

/** Whether the memory has 64-bit addresses; a shared memory is refused. */
export function isMemory64(scope: Scope, index: number, at: number): boolean {
  const { limits } = entryAt(scope.memories, 'memory', index, at);
  if (limits.shared)
    refuse(at, 'mismatch in the shared flag of a memory: shared memories cannot be used here');
  return limits.is64;
}

export function requireOptions(
  options: CanonOptions,
  needs: { readonly memory?: boolean; readonly realloc?: boolean },
  at: number,
): void {
  if ((needs.memory || needs.realloc) && options.memory === null) {
    refuse(at, 'canonical option `memory` is required');
  }
  if (needs.realloc && options.realloc === null) refuse(at, 'canonical option `realloc` is required');
}

/** The options that only a lift can have. */
export function checkLowerOptions(options: CanonOptions, at: number): void {
  if (options.postReturn !== null) {
    refuse(at, 'canonical option `post-return` cannot be specified for lowerings');
  }
  if (options.callback !== null) {
    refuse(at, 'canonical option `callback` cannot be specified for lowerings');
  }
}
