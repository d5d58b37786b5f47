// The engine's public surface: bytes → compiled → instance → calls. Nothing of a component's bytes ever becomes code
// other than the core modules that V8 compiles; a component gets exactly the imports it is given.

import { WitboxError } from '../core/errors.ts';
import type { ComponentType, CoreImport } from '../wit/type.ts';
import type { Value } from '../wit/value.ts';
import type { CustomSection } from './decode/ast.ts';
import type { Limits } from './limits.ts';
import { callFromHost } from './link/call.ts';
import { type CoreImports, type CoreInstance, instantiateCore } from './link/core-module.ts';
import type { ComponentValue, Extern, FuncValue, InstanceValue, ModuleValue } from './link/extern.ts';
import { type Imports, resolveImports } from './link/imports.ts';
import { type LoadedComponent, type LoadedModule, load } from './link/load.ts';
import { type Frame, instantiate, type Shared } from './link/steps.ts';
import { toTrap } from './trap.ts';

export { Handle } from './abi/resource.ts';
export { decodeComponent } from './decode/component.ts';
export type { Limits } from './limits.ts';
export { type CoreContext, type CoreImports, coreHost } from './link/core-module.ts';
export type { Extern } from './link/extern.ts';
export { HostResource, type HostResourceOptions, hostResource } from './link/host.ts';
export type { HostFunc, HostInstance, Import, Imports } from './link/imports.ts';
export { SuspendingFunc, suspending } from './schedule.ts';
export { Trap, type TrapKind } from './trap.ts';

/** A function's name, or the names on the way to it: `'add'`, `['wasi:cli/run@0.2.3', 'run']`. */
export type Path = string | readonly string[];

interface CompiledBase {
  readonly type: ComponentType;
  /** Custom sections as they are in the file: `package-docs`, `producers`, names. */
  readonly sections: readonly CustomSection[];
}

export interface CompiledComponent extends CompiledBase {
  readonly kind: 'component';
  readonly value: ComponentValue;
  instantiate(imports?: Imports): Promise<Instance>;
}

export interface CompiledModule extends CompiledBase {
  readonly kind: 'module';
  readonly value: ModuleValue;
  readonly coreImports: readonly CoreImport[];
  instantiate(imports?: CoreImports): Promise<Instance>;
}

/** Ready to be instantiated. It can also be given to another component that imports a component or module. */
export type Compiled = CompiledComponent | CompiledModule;

export interface Instance {
  readonly kind: 'instance';
  readonly value: InstanceValue;
  readonly exports: ReadonlyMap<string, Extern>;
  /** The memory that a core module exports; null for components, whose memory is theirs alone. */
  readonly memory: WebAssembly.Memory | null;
  /** Whether calls may suspend, so that `callSync` is refused. */
  readonly suspends: boolean;
  call(path: Path, args: readonly Value[]): Promise<Value>;
  callSync(path: Path, args: readonly Value[]): Value;
  /** Lets go of everything; further calls fail. */
  dispose(): void;
}

/** Decodes, checks and compiles a component or a core module. Throws a WitboxError that says what is wrong and where. */
export async function compile(bytes: Uint8Array, limits?: Partial<Limits>): Promise<Compiled> {
  const loaded = await load(bytes, limits);
  return loaded.kind === 'module' ? compiledModule(loaded) : compiledComponent(loaded);
}

function compiledComponent({ kind, type, sections, value, limits }: LoadedComponent): CompiledComponent {
  return {
    kind,
    type,
    sections,
    value,
    async instantiate(imports = {}) {
      const { args, resources, blocks } = resolveImports(value.plan.plan, imports);
      const shared: Shared = { suspendables: new Map(), instancesLeft: limits.totalInstances };
      try {
        return componentInstance(await instantiate(value, args, blocks, null, shared, resources));
      } catch (error) {
        throw toTrap(error);
      }
    },
  };
}

function compiledModule({ kind, type, sections, value, coreImports }: LoadedModule): CompiledModule {
  return {
    kind,
    type,
    sections,
    value,
    coreImports,
    async instantiate(imports = {}) {
      try {
        return moduleInstance(await instantiateCore(value, type, imports));
      } catch (error) {
        throw toTrap(error);
      }
    },
  };
}

function componentInstance({ exports, instance }: Frame): Instance {
  const known = new Map<string, FuncValue>();
  function find(path: Path): FuncValue {
    const name = typeof path === 'string' ? path : path.length === 1 ? path[0]! : null;
    const found = name === null ? undefined : known.get(name);
    if (found !== undefined) return found;
    const func = funcAt(exports, path);
    if (name !== null) known.set(name, func);
    return func;
  }
  return {
    kind: 'instance',
    value: { get: (name) => exports.get(name), blocks: instance.blocks },
    exports,
    memory: null,
    ...calls(instance.blocks, (path, args) => {
      const func = find(path);
      return func.kind === 'lifted' ? callFromHost(func, args) : func.call(...args);
    }),
    dispose() {
      instance.mayEnter = false;
      known.clear();
      exports.clear();
    },
  };
}

function funcAt(exports: ReadonlyMap<string, Extern>, path: Path): FuncValue {
  let at: Extern | undefined;
  for (const name of typeof path === 'string' ? [path] : path) {
    at = at === undefined ? exports.get(name) : at.kind === 'instance' ? at.value.get(name) : undefined;
    if (at === undefined) break;
  }
  if (at?.kind !== 'func') throw new WitboxError('export-missing', { path: spell(path) });
  return at.value;
}

const spell = (path: Path): string => (typeof path === 'string' ? path : path.join(' '));

function moduleInstance(core: CoreInstance): Instance {
  return {
    kind: 'instance',
    value: { get: () => undefined, blocks: core.blocks },
    exports: new Map(),
    memory: core.memory,
    ...calls(core.blocks, (path, args) => {
      const name = typeof path === 'string' ? path : path.length === 1 ? path[0]! : '';
      if (!core.has(name)) throw new WitboxError('export-missing', { path: spell(path) });
      return core.call(name, args);
    }),
    dispose: () => core.close(),
  };
}

/** The two ways to call: with a promise, always possible, and straight, where nothing can suspend. */
function calls(
  suspends: boolean,
  run: (path: Path, args: readonly Value[]) => Value | Promise<Value>,
): Pick<Instance, 'suspends' | 'call' | 'callSync'> {
  return {
    suspends,
    async call(path, args) {
      try {
        return await run(path, args);
      } catch (error) {
        throw toTrap(error);
      }
    },
    callSync(path, args) {
      if (suspends) throw new WitboxError('instance-suspends', { path: spell(path) });
      try {
        return run(path, args) as Value;
      } catch (error) {
        throw toTrap(error);
      }
    },
  };
}
