// A plan turned into closures, once per component; running them in order makes an instance. Steps only read what
// earlier steps have pushed onto the index spaces of their frame, so that an instance shares nothing with others
// but its code. A step gives a promise only if core code that runs in it (a start function) suspends.

import { WitboxError } from '../../core/errors.ts';
import type { ComponentType } from '../../wit/type.ts';
import { type AbiContext, type CoreFunction, createContext } from '../abi/context.ts';
import { createFuncAbi, type FlatLimits, type FuncAbi, SYNC } from '../abi/func.ts';
import type { RuntimeResource } from '../abi/resource.ts';
import { createCodecs } from '../abi/types.ts';
import type { Limits } from '../limits.ts';
import type { CanonOptions, ComponentPlan, ItemRef, ResourceBinding, Step } from '../plan.ts';
import { awaitable, type MadeFunction, type Suspendables, suspendable } from '../schedule.ts';
import { compileBuiltin } from './builtin.ts';
import { adapt, type Caller } from './call.ts';
import type { ComponentValue, Extern, FuncValue, InstanceValue, LiftAbi, ModuleValue } from './extern.ts';
import { lowerHost } from './host.ts';
import { type ComponentInstance, createInstance } from './instance.ts';
import { createResource, resourceDrop, resourceNew, resourceRep } from './resource.ts';

/** What all instances made by one instantiation of a root component share. */
export interface Shared {
  readonly suspendables: Suspendables;
  /** How many more instances, core ones included, may be made. */
  instancesLeft: number;
  readonly limits: Limits;
}

const NONE: Suspendables = new Map();

/** Where nothing suspends, nothing is ever added to the functions that do. */
export function createShared(blocks: boolean, limits: Limits): Shared {
  return { suspendables: blocks ? new Map() : NONE, instancesLeft: limits.totalInstances, limits };
}

/** One instantiation under way: the index spaces of the component. */
export interface Frame {
  readonly instance: ComponentInstance;
  readonly shared: Shared;
  readonly outer: Frame | null;
  readonly args: ImportSource;
  readonly core: {
    readonly func: CoreFunction[];
    readonly table: WebAssembly.Table[];
    readonly memory: WebAssembly.Memory[];
    readonly global: WebAssembly.Global[];
    readonly tag: WebAssembly.Tag[];
  };
  readonly coreInstances: WebAssembly.Exports[];
  readonly module: ModuleValue[];
  readonly func: FuncValue[];
  readonly instances: InstanceValue[];
  readonly component: ComponentValue[];
  readonly exports: Map<string, Extern>;
}

export interface ImportSource {
  get(name: string): Extern | undefined;
}

type RunStep = (frame: Frame) => void | Promise<void>;

export interface CompiledPlan {
  readonly type: ComponentType;
  readonly plan: ComponentPlan;
  readonly steps: readonly RunStep[];
}

export function compilePlan(plan: ComponentPlan, modules: readonly ModuleValue[]): CompiledPlan {
  const names = new Map(plan.type.definedResources.map(({ slot, name }) => [slot, name]));
  const steps = plan.steps.map((step) => compileStep(step, modules, names));
  return { type: plan.type, plan, steps };
}

/** Makes an instance of a component. `blocks` says whether anything among `args` may suspend it. */
export function instantiate(
  { plan, outer }: ComponentValue,
  args: ImportSource,
  blocks: boolean,
  parent: ComponentInstance | null,
  shared: Shared,
  resources: RuntimeResource[] = [],
): Frame | Promise<Frame> {
  countInstance(shared);
  const frame: Frame = {
    instance: createInstance(parent, resources, blocks),
    shared,
    outer,
    args,
    core: { func: [], table: [], memory: [], global: [], tag: [] },
    coreInstances: [],
    module: [],
    func: [],
    instances: [],
    component: [],
    exports: new Map(),
  };
  return runFrom(plan.steps, frame, 0);
}

function runFrom(steps: readonly RunStep[], frame: Frame, from: number): Frame | Promise<Frame> {
  for (let i = from; i < steps.length; i++) {
    const pending = steps[i]!(frame);
    if (pending !== undefined) return pending.then(() => runFrom(steps, frame, i + 1));
  }
  frame.instance.mayEnter = true;
  return frame;
}

function countInstance(shared: Shared): void {
  if (--shared.instancesLeft < 0) throw new WitboxError('too-many-instances');
}

function compileStep(
  step: Step,
  modules: readonly ModuleValue[],
  names: ReadonlyMap<number, string | undefined>,
): RunStep {
  switch (step.op) {
    case 'module': {
      const value = modules[step.module.ordinal]!;
      return (frame) => void frame.module.push(value);
    }
    case 'core instantiate':
      return coreInstantiate(step);
    case 'core exports':
      return (frame) => {
        const exports: WebAssembly.Exports = Object.create(null);
        for (const { name, sort, index } of step.exports) {
          exports[name] = frame.core[sort as keyof Frame['core']][index] as WebAssembly.ExportValue;
        }
        frame.coreInstances.push(exports);
      };
    case 'core alias':
      return (frame) => {
        const space = frame.core[step.sort as keyof Frame['core']] as WebAssembly.ExportValue[];
        space.push(frame.coreInstances[step.instance]![step.name]!);
      };
    case 'component': {
      const plan = compilePlan(step.plan, modules);
      return (frame) => void frame.component.push({ plan, outer: frame });
    }
    case 'instantiate':
      return componentInstantiate(step);
    case 'exports':
      return (frame) => {
        const exports = new Map(step.exports.map(({ name, item }) => [name, externOf(frame, item)]));
        frame.instances.push(instanceOf(exports));
      };
    case 'alias':
      return (frame) => push(frame, frame.instances[step.instance]!.get(step.name)!);
    case 'outer alias':
      return (frame) => {
        let at = frame;
        for (let i = 0; i < step.count; i++) at = at.outer!;
        if (step.sort === 'module') frame.module.push(at.module[step.index]!);
        else frame.component.push(at.component[step.index]!);
      };
    case 'resource':
      return ({ instance, core, shared }) => {
        const dtor = step.dtor === null ? null : core.func[step.dtor]!;
        const name = names.get(step.slot) ?? 'resource';
        instance.resources[step.slot] = createResource(name, instance, dtor, shared.suspendables);
      };
    case 'lift':
      return lift(step);
    case 'lower':
      return lower(step);
    case 'resource.new':
      return made((frame) => resourceNew(frame.instance, frame.instance.resources[step.slot]!));
    case 'resource.rep':
      return made((frame) => resourceRep(frame.instance, frame.instance.resources[step.slot]!));
    case 'resource.drop':
      return ({ instance, core, shared }) => {
        const resource = instance.resources[step.slot]!;
        pushMade(core.func, resourceDrop(instance, resource), resource.blocks, shared);
      };
    case 'builtin': {
      const make = compileBuiltin(step.canon, step.element);
      return made((frame) => make(frame.instance, frame.core, frame.shared.limits));
    }
    case 'import':
      return (frame) => {
        const extern = frame.args.get(step.name);
        if (extern === undefined)
          throw new WitboxError('import-missing', { name: step.name, expected: step.type.kind });
        push(frame, extern);
        bind(frame, extern, step.bind);
      };
    case 'export':
      return (frame) => {
        const extern = externOf(frame, step.item);
        frame.exports.set(step.name, extern);
        push(frame, extern);
      };
  }
}

function made(make: (frame: Frame) => MadeFunction): RunStep {
  return (frame) => pushMade(frame.core.func, make(frame), false, frame.shared);
}

function pushMade(
  space: CoreFunction[],
  call: MadeFunction,
  blocks: boolean,
  { suspendables }: Shared,
): void {
  space.push(blocks ? suspendable(call, suspendables) : (call as CoreFunction));
}

// ---- items ----

function push(frame: Frame, extern: Extern): void {
  switch (extern.kind) {
    case 'func':
      frame.func.push(extern.value);
      break;
    case 'module':
      frame.module.push(extern.value);
      break;
    case 'component':
      frame.component.push(extern.value);
      break;
    case 'instance':
      frame.instances.push(extern.value);
      break;
    case 'type':
      break;
  }
}

function externOf(frame: Frame, item: ItemRef): Extern {
  switch (item.sort) {
    case 'func':
      return { kind: 'func', value: frame.func[item.index]! };
    case 'module':
      return { kind: 'module', value: frame.module[item.index]! };
    case 'component':
      return { kind: 'component', value: frame.component[item.index]! };
    case 'instance':
      return { kind: 'instance', value: frame.instances[item.index]! };
    case 'type':
      return { kind: 'type', value: item.slot === null ? null : frame.instance.resources[item.slot]! };
  }
}

/** The exports of a component instance, as other components see them. */
export function exportsOf(exports: ReadonlyMap<string, Extern>, instance: ComponentInstance): InstanceValue {
  return { get: (name) => exports.get(name), blocks: instance.blocks };
}

function instanceOf(exports: ReadonlyMap<string, Extern>): InstanceValue {
  return { get: (name) => exports.get(name), blocks: exports.values().some(blocks) };
}

export function blocks(extern: Extern): boolean {
  switch (extern.kind) {
    case 'func':
    case 'instance':
      return extern.value.blocks;
    case 'type':
      return extern.value?.blocks ?? false;
    default:
      return false;
  }
}

/** Takes the resources that came with an import or a new instance into the slots that the component has for them. */
function bind({ instance }: Frame, extern: Extern, bindings: readonly ResourceBinding[]): void {
  for (const { slot, path } of bindings) {
    const resource = resourceAt(extern, path);
    if (resource !== null) instance.resources[slot] = resource;
  }
}

export function resourceAt(extern: Extern | undefined, path: readonly string[]): RuntimeResource | null {
  let at = extern;
  for (const name of path) at = at?.kind === 'instance' ? at.value.get(name) : undefined;
  return at?.kind === 'type' ? at.value : null;
}

// ---- instantiation ----

function coreInstantiate(step: Extract<Step, { op: 'core instantiate' }>): RunStep {
  return ({ coreInstances, module, shared, instance }) => {
    countInstance(shared);
    const imports = step.args.length === 0 ? undefined : importsOf(step.args, coreInstances);
    const value = module[step.module]!;
    const { exports } = link(value, imports);
    coreInstances.push(exports);
    if (value.start === null) return;
    const start = exports[value.start] as CoreFunction;
    if (!instance.blocks) return void start();
    return Promise.resolve(awaitable(start, shared.suspendables)()).then(() => {});
  };
}

function importsOf(
  args: readonly { readonly name: string; readonly instance: number }[],
  instances: readonly WebAssembly.Exports[],
): WebAssembly.Imports {
  const imports: WebAssembly.Imports = Object.create(null);
  for (const { name, instance } of args) imports[name] = instances[instance]!;
  return imports;
}

/** Modules of the component fit, as was validated; one that the host compiled may turn out not to. */
function link({ module }: ModuleValue, imports: WebAssembly.Imports | undefined): WebAssembly.Instance {
  try {
    return new WebAssembly.Instance(module, imports);
  } catch (error) {
    if (!(error instanceof WebAssembly.LinkError)) throw error;
    throw new WitboxError('import-mismatch', { name: 'core module', reason: error.message }, error);
  }
}

function componentInstantiate(step: Extract<Step, { op: 'instantiate' }>): RunStep {
  return (frame) => {
    const args = new Map<string, Extern>();
    let mayBlock = false;
    for (const { name, item } of step.args) {
      const extern = externOf(frame, item);
      args.set(name, extern);
      mayBlock ||= blocks(extern);
    }
    const finish = ({ exports, instance }: Frame): void => {
      const value = exportsOf(exports, instance);
      frame.instances.push(value);
      bind(frame, { kind: 'instance', value }, step.bind);
    };
    const component = frame.component[step.component]!;
    const made = instantiate(component, args, mayBlock, frame.instance, frame.shared);
    return made instanceof Promise ? made.then(finish) : finish(made);
  };
}

// ---- functions ----

/** Types are compiled when the first instance needs them, and kept for all that follow. */
function lazyAbi(
  step: Extract<Step, { op: 'lift' | 'lower' }>,
  peer: 'host' | 'guest',
  limits: FlatLimits,
): () => FuncAbi {
  const { encoding, memory64 } = step.options;
  let abi: FuncAbi | undefined;
  return () => {
    abi ??= createFuncAbi(step.type, createCodecs({ encoding, is64: memory64, peer }), limits);
    return abi;
  };
}

function contextOf({ instance, core, shared }: Frame, options: CanonOptions): AbiContext {
  const memory = options.memory === null ? null : core.memory[options.memory]!;
  const realloc = options.realloc === null ? null : core.func[options.realloc]!;
  return createContext(instance, memory, realloc, options.memory64, shared.limits.valueBytes);
}

function lift(step: Extract<Step, { op: 'lift' }>): RunStep {
  const { options, type } = step;
  const host = lazyAbi(step, 'host', SYNC);
  const guest = lazyAbi(step, 'guest', SYNC);
  const abi: LiftAbi = {
    get host() {
      return host();
    },
    get guest() {
      return guest();
    },
    async: !options.async ? null : options.callback === null ? 'stackful' : 'callback',
  };
  return (frame) => {
    const { instance, core, shared } = frame;
    const func = core.func[step.func]!;
    frame.func.push({
      kind: 'lifted',
      type,
      instance,
      cx: contextOf(frame, options),
      call: instance.blocks ? awaitable(func, shared.suspendables) : func,
      postReturn: options.postReturn === null ? null : core.func[options.postReturn]!,
      abi,
      blocks: instance.blocks,
    });
  };
}

const ASYNC_LOWER: FlatLimits = { params: 4, results: 0 };
/** What an asynchronously lowered function gives its caller when the call is over before it returns. */
const RETURNED = 2;

function lower(step: Extract<Step, { op: 'lower' }>): RunStep {
  const { options } = step;
  const limits = options.async ? ASYNC_LOWER : SYNC;
  const host = lazyAbi(step, 'host', limits);
  const guest = lazyAbi(step, 'guest', limits);
  return (frame) => {
    const func = frame.func[step.func]!;
    const caller: Caller = {
      instance: frame.instance,
      cx: contextOf(frame, options),
      abi: func.kind === 'host' ? host() : guest(),
      code: options.async ? RETURNED : null,
    };
    const call = func.kind === 'host' ? lowerHost(func, caller) : adapt(func, caller);
    pushMade(frame.core.func, call, func.blocks, frame.shared);
  };
}
