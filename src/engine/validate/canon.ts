// Canonical definitions: lifting core functions to component functions, lowering component functions to core ones,
// and the functions that work on resource handles. Those of WASI 0.3 are in builtins.ts.

import type { CanonAst } from '../decode/ast.ts';
import { addBuiltin } from './builtins.ts';
import { checkLowerOptions, coreTypeOption, requireOptions, resolveOptions } from './canon-options.ts';
import { sameList, sameSignature, spellFunc } from './core-match.ts';
import { flattenFunc } from './flatten.ts';
import { coreFuncAt, entryAt, funcTypeAt, resourceNameAt } from './lookup.ts';
import { refuse } from './refuse.ts';
import { pushTo, type Scope, spend } from './scope.ts';

export function addCanon(scope: Scope, canon: CanonAst, at: number): void {
  switch (canon.kind) {
    case 'lift':
      lift(scope, canon, at);
      break;
    case 'lower':
      lower(scope, canon, at);
      break;
    case 'builtin':
      addBuiltin(scope, canon, at);
      break;
    default:
      handleFunction(scope, canon, at);
      break;
  }
}

function lift(scope: Scope, canon: CanonAst & { kind: 'lift' }, at: number): void {
  const type = funcTypeAt(scope, canon.type, at);
  spend(scope.session, at, type.params.length);
  const actual = coreFuncAt(scope, canon.func, at);
  const options = resolveOptions(scope, canon.options, at, type);
  if (canon.options.coreType !== null) {
    refuse(at, 'canonical option `core-type` is not allowed in `canon lift`');
  }
  if (options.postReturn !== null) {
    const { params, results } = coreFuncAt(scope, options.postReturn, at);
    if (!sameList(params, actual.results) || results.length > 0) {
      refuse(at, 'canonical option `post-return` uses a core function with an incorrect signature');
    }
  }
  if (options.callback !== null) {
    const { params, results } = coreFuncAt(scope, options.callback, at);
    if (!sameList(params, ['i32', 'i32', 'i32']) || !sameList(results, ['i32'])) {
      refuse(at, 'canonical option `callback` uses a core function with an incorrect signature');
    }
  }
  checkAsync(options.async, type.async, at);
  const mode = {
    direction: 'lift' as const,
    async: options.async,
    callback: options.callback !== null,
    memory64: options.memory64,
  };
  const needs = flattenFunc(scope.session, type, mode);
  requireOptions(options, needs, at);
  if (!sameSignature(needs.core, actual)) {
    const found = `${spellFunc(actual)} of core function ${canon.func}`;
    refuse(at, `lowered parameter types or result types ${spellFunc(needs.core)} do not match ${found}`);
  }
  if (actual.lineage) refuse(at, `core function ${canon.func} has a type that cannot be lifted`);
  pushTo(scope, scope.funcs, type, at);
  scope.steps.push({ op: 'lift', func: canon.func, type, core: needs.core, options });
}

function lower(scope: Scope, canon: CanonAst & { kind: 'lower' }, at: number): void {
  const type = entryAt(scope.funcs, 'function', canon.func, at);
  spend(scope.session, at, type.params.length);
  const options = resolveOptions(scope, canon.options, at, type);
  checkLowerOptions(options, at);
  checkAsync(options.async, type.async, at);
  const mode = {
    direction: 'lower' as const,
    async: options.async,
    callback: false,
    memory64: options.memory64,
  };
  const needs = flattenFunc(scope.session, type, mode);
  requireOptions(options, needs, at);
  const declared = coreTypeOption(scope, canon.options, at);
  if (declared && !sameSignature(declared, needs.core)) {
    refuse(at, `declared core type is ${spellFunc(declared)}, but the lowering has ${spellFunc(needs.core)}`);
  }
  pushTo(scope, scope.coreFuncs, declared ?? needs.core, at);
  scope.steps.push({ op: 'lower', func: canon.func, type, core: needs.core, options });
}

function checkAsync(option: boolean, type: boolean, at: number): void {
  if (option && !type) refuse(at, 'the `async` canonical option requires an async function type');
}

function handleFunction(
  scope: Scope,
  canon: Exclude<CanonAst, { kind: 'lift' | 'lower' | 'builtin' }>,
  at: number,
): void {
  const { type } = resourceNameAt(scope, canon.type, at);
  if (canon.kind === 'resource.drop') {
    pushTo(scope, scope.coreFuncs, { params: ['i32'], results: [] }, at);
  } else {
    const rep = scope.localResources.get(type);
    if (rep === undefined) refuse(at, `type ${canon.type} is not a local resource`);
    const isNew = canon.kind === 'resource.new';
    pushTo(scope, scope.coreFuncs, { params: [isNew ? rep : 'i32'], results: [isNew ? 'i32' : rep] }, at);
  }
  scope.steps.push({ op: canon.kind, slot: type.slot });
}
