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
import { createShared, exportsOf, type Frame } from './link/frame.ts';
import { createResolver, type Imports } from './link/imports.ts';
import type { ComponentInstance } from './link/instance.ts';
import { type LoadedComponent, type LoadedModule, load } from './link/load.ts';
import { instantiate } from './link/steps.ts';
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
  /** Lets go of everything: resources of the host that the guest owns are dropped, further calls fail. */
  dispose(): void;
}

/** Decodes, checks and compiles a component or a core module. Throws a WitboxError that says what is wrong and where. */
export async function compile(bytes: Uint8Array, limits?: Partial<Limits>): Promise<Compiled> {
  const loaded = await load(bytes, limits);
  return loaded.kind === 'module' ? compiledModule(loaded) : compiledComponent(loaded);
}

function compiledComponent({ kind, type, sections, value, limits }: LoadedComponent): CompiledComponent {
  const resolve = createResolver(value.plan.plan);
  return {
    kind,
    type,
    sections,
    value,
    instantiate(imports = {}) {
      // Without `async`, whose machinery costs a tenth of what a small instance does.
      try {
        const { args, resources, blocks } = resolve(imports);
        const shared = createShared(blocks, limits);
        const frame = instantiate(value, args, blocks, null, shared, resources);
        if (frame instanceof Promise) return frame.then(finish, fail);
        return Promise.resolve(finish(frame));
      } catch (error) {
        return Promise.reject(toTrap(error));
      }
    },
  };
}

const finish = (frame: Frame): Instance => new LinkedInstance(frame);

function fail(error: unknown): never {
  throw toTrap(error);
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
        return new ModuleInstance(await instantiateCore(value, type, imports));
      } catch (error) {
        throw toTrap(error);
      }
    },
  };
}

/** What the two kinds of instance have in common: how they are called. */
abstract class Callable {
  readonly kind = 'instance';
  abstract readonly value: InstanceValue;
  abstract readonly suspends: boolean;
  protected abstract run(path: Path, args: readonly Value[]): Value | Promise<Value>;

  async call(path: Path, args: readonly Value[]): Promise<Value> {
    try {
      return await this.run(path, args);
    } catch (error) {
      throw toTrap(error);
    }
  }

  callSync(path: Path, args: readonly Value[]): Value {
    if (this.suspends) throw new WitboxError('instance-suspends', { path: spell(path) });
    try {
      return this.run(path, args) as Value;
    } catch (error) {
      throw toTrap(error);
    }
  }
}

class LinkedInstance extends Callable implements Instance {
  readonly exports: Map<string, Extern>;
  readonly memory = null;
  readonly #instance: ComponentInstance;

  constructor({ exports, self }: Frame) {
    super();
    this.exports = exports;
    this.#instance = self;
  }

  get value(): InstanceValue {
    return exportsOf(this.exports, this.#instance);
  }

  get suspends(): boolean {
    return this.#instance.blocks;
  }

  protected run(path: Path, args: readonly Value[]): Value | Promise<Value> {
    const func = funcAt(this.exports, path);
    return func.kind === 'lifted' ? callFromHost(func, args) : func.call(...args);
  }

  dispose(): void {
    this.#instance.end();
    this.exports.clear();
  }
}

function funcAt(exports: ReadonlyMap<string, Extern>, path: Path): FuncValue {
  let at: Extern | undefined;
  if (typeof path === 'string') at = exports.get(path);
  else {
    at = exports.get(path[0] ?? '');
    for (let i = 1; i < path.length; i++) at = at?.kind === 'instance' ? at.value.get(path[i]!) : undefined;
  }
  if (at?.kind !== 'func') throw new WitboxError('export-missing', { path: spell(path) });
  return at.value;
}

const spell = (path: Path): string => (typeof path === 'string' ? path : path.join(' '));

const NO_EXPORTS: ReadonlyMap<string, Extern> = new Map();

class ModuleInstance extends Callable implements Instance {
  readonly exports = NO_EXPORTS;
  readonly value: InstanceValue;
  readonly suspends: boolean;
  readonly memory: WebAssembly.Memory | null;
  readonly #core: CoreInstance;

  constructor(core: CoreInstance) {
    super();
    this.value = { get: () => undefined, blocks: core.blocks };
    this.suspends = core.blocks;
    this.memory = core.memory;
    this.#core = core;
  }

  protected run(path: Path, args: readonly Value[]): Value | Promise<Value> {
    const name = typeof path === 'string' ? path : path.length === 1 ? path[0]! : '';
    if (!this.#core.has(name)) throw new WitboxError('export-missing', { path: spell(path) });
    return this.#core.call(name, args);
  }

  dispose(): void {
    this.#core.close();
  }
}
