// The built-in functions of WASI 0.3 (tasks, streams, futures, waitables, threads, error contexts): their core
// signatures and options (CanonicalABI.md, "canon …"). They are validated here; whether they can run is the linker's.

import type { CoreFuncType, ValType } from '../../wit/type.ts';
import type { CanonAst } from '../decode/ast.ts';
import type { CanonOptions } from '../plan.ts';
import { checkLowerOptions, isMemory64, requireOptions, resolveOptions } from './canon-options.ts';
import { sameList } from './core-match.ts';
import { flattenFunc } from './flatten.ts';
import { coreTypeAt, entryAt, valTypeAt } from './lookup.ts';
import { refuse } from './refuse.ts';
import { factsOf, pushTo, type Scope } from './scope.ts';
import { resolveValType } from './value-types.ts';

type Builtin = CanonAst & { kind: 'builtin' };

/** Built-ins whose signature depends on nothing: parameters, results. */
const FIXED = new Map(
  Object.entries({
    'task.cancel': '',
    'subtask.cancel': 'i32 -> i32',
    'subtask.drop': 'i32',
    'thread.yield': '-> i32',
    'waitable-set.new': '-> i32',
    'waitable-set.drop': 'i32',
    'waitable.join': 'i32 i32',
    'backpressure.inc': '',
    'backpressure.dec': '',
    'error-context.drop': 'i32',
    'thread.index': '-> i32',
    'thread.resume-later': 'i32',
    'thread.suspend': '-> i32',
    'thread.suspend-then-resume': 'i32 -> i32',
    'thread.yield-then-resume': 'i32 -> i32',
    'thread.suspend-then-promote': 'i32 -> i32',
    'thread.yield-then-promote': 'i32 -> i32',
  }),
);

/** Built-ins on a stream or future type, by what follows the dot; the first parameter is the handle of one end. */
const ENDPOINT = new Map(
  Object.entries({
    new: '-> i64',
    'cancel-read': 'i32 -> i32',
    'cancel-write': 'i32 -> i32',
    'drop-readable': 'i32',
    'drop-writable': 'i32',
  }),
);

export function addBuiltin(scope: Scope, canon: Builtin, at: number): void {
  const element = elementOf(scope, canon, at);
  pushTo(scope, scope.coreFuncs, signatureOf(scope, canon, element, at), at);
  scope.steps.push({ op: 'builtin', canon, element });
}

/** The element of the stream or future, or the result of `task.return`. */
function elementOf(scope: Scope, canon: Builtin, at: number): ValType | null {
  if (canon.name === 'task.return') {
    return canon.result === null ? null : resolveValType(scope, canon.result, at);
  }
  const [kind] = canon.name.split('.');
  if (kind !== 'stream' && kind !== 'future') return null;
  const type = valTypeAt(scope, canon.type ?? 0, at);
  if (type.kind !== kind) refuse(at, `\`${canon.name}\` requires a ${kind} type`);
  return type.element;
}

function signatureOf(scope: Scope, canon: Builtin, element: ValType | null, at: number): CoreFuncType {
  const { name } = canon;
  const fixed = FIXED.get(name);
  if (fixed !== undefined) return signature(fixed);
  switch (name) {
    case 'task.return':
      return taskReturn(scope, canon, element, at);
    case 'context.get':
    case 'context.set':
      return context(scope, canon, at);
    case 'waitable-set.wait':
    case 'waitable-set.poll': {
      const pointer = isMemory64(scope, numberAt(canon, 1), at) ? 'i64' : 'i32';
      return signature(`i32 ${pointer} -> i32`);
    }
    case 'error-context.new':
    case 'error-context.debug-message':
      return errorContext(scope, canon, at);
    case 'thread.new-indirect':
      return newThread(scope, canon, at);
    case 'stream.read':
    case 'stream.write':
    case 'future.read':
    case 'future.write':
      return copy(scope, canon, element, at);
    default: {
      const endpoint = ENDPOINT.get(name.slice(name.indexOf('.') + 1));
      if (endpoint !== undefined && canon.type !== null) return signature(endpoint);
      return refuse(
        at,
        `\`${name}\` belongs to the shared-everything-threads proposal, which is not accepted`,
      );
    }
  }
}

/** From `i32 i64 -> i32`. */
function signature(text: string): CoreFuncType {
  const [params = '', results = ''] = text.split('->');
  const list = (part: string) => part.split(' ').filter((one) => one !== '');
  return { params: list(params), results: list(results) };
}

function numberAt(canon: Builtin, position: number): number {
  return Number(canon.immediates[position] ?? 0);
}

function optionsOf(scope: Scope, canon: Builtin, at: number): CanonOptions {
  if (!canon.options) refuse(at, `\`${canon.name}\` needs canonical options`);
  const options = resolveOptions(scope, canon.options, at);
  checkLowerOptions(options, at);
  return options;
}

function requireSync(options: CanonOptions, name: string, at: number): void {
  if (options.async) refuse(at, `cannot specify \`async\` option on \`${name}\``);
}

function taskReturn(scope: Scope, canon: Builtin, result: ValType | null, at: number): CoreFuncType {
  const options = optionsOf(scope, canon, at);
  if (options.realloc !== null) refuse(at, 'cannot specify `realloc` option on `task.return`');
  requireSync(options, 'task.return', at);
  if (result && factsOf(scope.session, result).hasBorrow) {
    refuse(at, 'function result cannot contain a `borrow` type');
  }
  const type = { params: result ? [{ name: 'v', type: result }] : [], result: null, async: false };
  const mode = { direction: 'lower' as const, async: false, callback: false, memory64: options.memory64 };
  const needs = flattenFunc(scope.session, type, mode);
  requireOptions(options, needs, at);
  return needs.core;
}

function context(scope: Scope, canon: Builtin, at: number): CoreFuncType {
  const [type, slot] = canon.immediates;
  if (type !== 'i32' && type !== 'i64') refuse(at, `\`${canon.name}\` only supports \`i32\` or \`i64\``);
  if (Number(slot) > 1) refuse(at, `\`${canon.name}\` immediate must be zero or one: ${slot}`);
  if (scope.contextType !== null && scope.contextType !== type) {
    refuse(at, `\`${canon.name}\` type must match previous context type`);
  }
  scope.contextType = type;
  return signature(canon.name === 'context.get' ? `-> ${type}` : type);
}

function errorContext(scope: Scope, canon: Builtin, at: number): CoreFuncType {
  const options = optionsOf(scope, canon, at);
  const isNew = canon.name === 'error-context.new';
  requireOptions(options, { memory: true, realloc: !isNew }, at);
  requireSync(options, canon.name, at);
  const pointer = options.memory64 ? 'i64' : 'i32';
  return signature(isNew ? `${pointer} ${pointer} -> i32` : `i32 ${pointer}`);
}

function copy(scope: Scope, canon: Builtin, element: ValType | null, at: number): CoreFuncType {
  const options = optionsOf(scope, canon, at);
  const reads = canon.name.endsWith('read');
  const realloc = reads && element !== null && factsOf(scope.session, element).hasPointer;
  requireOptions(options, { memory: element !== null, realloc }, at);
  const pointer = options.memory64 ? 'i64' : 'i32';
  return signature(
    canon.name.startsWith('stream') ? `i32 ${pointer} ${pointer} -> ${pointer}` : `i32 ${pointer} -> i32`,
  );
}

function newThread(scope: Scope, canon: Builtin, at: number): CoreFuncType {
  const start = coreTypeAt(scope, numberAt(canon, 0), at);
  const func = start.kind === 'sub' ? start.type.func : null;
  if (!func) refuse(at, 'start type must be a function');
  const [argument] = func.params;
  if (!sameList(func.params, ['i32']) && !sameList(func.params, ['i64'])) {
    refuse(at, 'start function must take a single `i32` argument');
  }
  if (func.results.length > 0) refuse(at, 'start function must not return any values');
  const table = entryAt(scope.tables, 'table', numberAt(canon, 1), at);
  if (table.element !== '(ref null func)' || table.limits.shared) {
    refuse(at, 'table is not a table of (ref null (func))');
  }
  return signature(`${table.limits.is64 ? 'i64' : 'i32'} ${argument} -> i32`);
}
