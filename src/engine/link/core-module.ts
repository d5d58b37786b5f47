// A core module without a component around it: its exported functions on numbers become callable as if they were
// component functions of s32, s64, f32 and f64. What it imports is given as raw core functions, most often those of
// WASI preview 1, which need the instance's memory and get it through `coreHost`.

import { WitboxError } from '../../core/errors.ts';
import type {
  ComponentType,
  CoreFuncType,
  CoreModuleType,
  ExternType,
  Field,
  ValType,
} from '../../wit/type.ts';
import type { Value } from '../../wit/value.ts';
import type { Codec } from '../abi/codec.ts';
import { type AbiContext, type CoreFunction, createContext, type FlatValue } from '../abi/context.ts';
import { createFuncAbi, type FuncAbi } from '../abi/func.ts';
import { SCALARS } from '../abi/scalar.ts';
import type { CoreModuleAst } from '../decode/ast.ts';
import { readCoreNames } from '../decode/names.ts';
import { awaitable, type MadeFunction, type Suspendables, SuspendingFunc, suspendable } from '../schedule.ts';
import { fromHost, raise } from '../trap.ts';
import { apply } from './call.ts';
import type { ModuleValue } from './extern.ts';

export type CoreHostFunc = CoreFunction | SuspendingFunc;

/** What raw host functions know of the instance that calls them. */
export interface CoreContext {
  /** The memory it exports; there once it is instantiated. */
  readonly memory: WebAssembly.Memory;
}

/** Functions made anew for each instance, with access to its memory. */
export class CoreHost {
  readonly make: (cx: CoreContext) => Readonly<Record<string, CoreHostFunc>>;

  constructor(make: (cx: CoreContext) => Readonly<Record<string, CoreHostFunc>>) {
    this.make = make;
  }
}

export function coreHost(make: (cx: CoreContext) => Readonly<Record<string, CoreHostFunc>>): CoreHost {
  return new CoreHost(make);
}

/** By module name of the import. Memories, tables and globals may be given as they are. */
export interface CoreImports {
  readonly [module: string]: CoreHost | Readonly<Record<string, CoreHostFunc | WebAssembly.ImportValue>>;
}

const NUMBERS: Readonly<Record<string, ValType>> = {
  i32: { kind: 's32' },
  i64: { kind: 's64' },
  f32: { kind: 'f32' },
  f64: { kind: 'f64' },
};

/** The component type a core module would have, with names of parameters where the module tells them. */
export function synthesiseType(module: CoreModuleAst, type: CoreModuleType): ComponentType {
  const indices = new Map<string, number>();
  for (const one of module.exports) if (one.kind === 'func') indices.set(one.name, one.index);
  const wantedFuncs = new Set(indices.values());
  const names = readCoreNames(module.customs, (func) => wantedFuncs.has(func));
  const exports = new Map<string, ExternType>();
  for (const { name, type: item } of type.exports) {
    if (item.kind !== 'func' || !isNumeric(item.type)) continue;
    const locals = names?.locals.get(indices.get(name) ?? -1);
    const params = item.type.params.map(
      (core, i): Field => ({ name: uniqueName(locals, i), type: NUMBERS[core]! }),
    );
    const [result] = item.type.results;
    const resultType = result === undefined ? null : NUMBERS[result]!;
    exports.set(name, { kind: 'func', type: { params, result: resultType, async: false } });
  }
  return { imports: new Map(), exports, importedResources: [], definedResources: [] };
}

const isNumeric = ({ params, results }: CoreFuncType): boolean =>
  results.length <= 1 && [...params, ...results].every((type) => Object.hasOwn(NUMBERS, type));

/** Names in a name section may be empty or repeat; parameters need names that tell them apart. */
function uniqueName(locals: ReadonlyMap<number, string> | undefined, index: number): string {
  const name = locals?.get(index);
  const repeats = locals?.entries().some(([other, text]) => other < index && text === name);
  return name === undefined || name === '' || repeats ? `p${index}` : name;
}

export interface CoreInstance {
  readonly memory: WebAssembly.Memory | null;
  readonly blocks: boolean;
  has(name: string): boolean;
  call(name: string, args: readonly Value[]): Value | Promise<Value>;
  close(): void;
}

export function instantiateCore(
  { module, start }: ModuleValue,
  type: ComponentType,
  imports: CoreImports,
): CoreInstance | Promise<CoreInstance> {
  const known: Suspendables = new Map();
  let memory: WebAssembly.Memory | null = null;
  const cx: CoreContext = {
    get memory() {
      return memory ?? raise('host', 'the module exports no memory');
    },
  };
  const given = gather(module, imports, cx, known);
  const { exports } = new WebAssembly.Instance(module, given);
  memory = exports.memory instanceof WebAssembly.Memory ? exports.memory : null;
  const blocks = known.size > 0;
  const context = createContext(NO_OWNER, memory, null, false, 0);
  const funcs = new Map<string, { readonly call: MadeFunction; readonly abi: FuncAbi }>();
  for (const [name, item] of type.exports) {
    if (item.kind !== 'func') continue;
    const core = exports[name] as CoreFunction;
    funcs.set(name, {
      call: blocks ? awaitable(core, known) : core,
      abi: createFuncAbi(item.type, numberCodec),
    });
  }
  const instance = coreInstance(funcs, memory, blocks, context);
  // A reactor asks for `_initialize` to be called before anything else.
  const initial = [start, Object.hasOwn(exports, '_initialize') ? '_initialize' : null];
  return runAll(
    initial.filter((name) => name !== null).map((name) => exports[name] as CoreFunction),
    instance,
    (core) => (blocks ? awaitable(core, known) : core),
  );
}

const NO_OWNER = { handles: undefined as never, resources: [], mayLeave: true };

const numberCodec = (type: ValType): Codec => SCALARS[type.kind as 's32'];

function runAll(
  pending: readonly CoreFunction[],
  instance: CoreInstance,
  callable: (core: CoreFunction) => MadeFunction,
): CoreInstance | Promise<CoreInstance> {
  const [first, ...rest] = pending;
  if (first === undefined) return instance;
  const done = callable(first)();
  if (done instanceof Promise) return done.then(() => runAll(rest, instance, callable));
  return runAll(rest, instance, callable);
}

/** Calls one at a time; after a trap, none at all. */
function coreInstance(
  funcs: ReadonlyMap<string, { readonly call: MadeFunction; readonly abi: FuncAbi }>,
  memory: WebAssembly.Memory | null,
  blocks: boolean,
  cx: AbiContext,
): CoreInstance {
  let mayEnter = true;
  return {
    memory,
    blocks,
    has: (name) => funcs.has(name),
    call(name, args) {
      const { call, abi } = funcs.get(name)!;
      if (!mayEnter) raise('reentrance', 'cannot enter instance');
      const flat = abi.lowerParams(cx, args);
      mayEnter = false;
      const result = apply(call, flat);
      const finish = (core: FlatValue | undefined): Value => {
        mayEnter = true;
        return abi.liftResult(cx, core);
      };
      return result instanceof Promise ? result.then(finish) : finish(result);
    },
    close() {
      mayEnter = false;
    },
  };
}

function gather(
  module: WebAssembly.Module,
  imports: CoreImports,
  cx: CoreContext,
  known: Suspendables,
): WebAssembly.Imports {
  const made = new Map<string, Readonly<Record<string, unknown>>>();
  const out: WebAssembly.Imports = Object.create(null);
  for (const { module: from, name, kind } of WebAssembly.Module.imports(module)) {
    const group = Object.hasOwn(imports, from) ? imports[from]! : {};
    if (!made.has(from)) made.set(from, group instanceof CoreHost ? group.make(cx) : group);
    const members = made.get(from)!;
    const item = Object.hasOwn(members, name) ? members[name] : undefined;
    if (item === undefined)
      throw new WitboxError('import-missing', { name: `${from} ${name}`, expected: kind });
    out[from] ??= Object.create(null) as Record<string, WebAssembly.ImportValue>;
    out[from][name] = toImport(item, known);
  }
  return out;
}

function toImport(item: unknown, known: Suspendables): WebAssembly.ImportValue {
  if (item instanceof SuspendingFunc) {
    const call = item.call as MadeFunction;
    return suspendable((...flat) => guarded(call, flat), known);
  }
  if (typeof item !== 'function') return item as WebAssembly.ImportValue;
  const call = item as MadeFunction;
  return (...flat: FlatValue[]) => guarded(call, flat);
}

/** Whatever the host throws traps the guest. */
function guarded(
  call: MadeFunction,
  flat: FlatValue[],
): FlatValue | undefined | Promise<FlatValue | undefined> {
  try {
    const value = call(...flat);
    return value instanceof Promise ? value.catch(fail) : value;
  } catch (error) {
    throw fromHost(error);
  }
}

function fail(error: unknown): never {
  throw fromHost(error);
}
