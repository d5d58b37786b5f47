// A plan turned into closures, once per component; running them in order makes an instance. Steps only read what
// earlier steps have put into the index spaces of their frame, so that an instance shares nothing with others but its
// code. A step gives a promise only if core code that runs in it (a start function) suspends.

import { WitboxError } from '../../core/errors.ts';
import type { ComponentType } from '../../wit/type.ts';
import type { CoreFunction } from '../abi/context.ts';
import type { RuntimeResource } from '../abi/resource.ts';
import type { ComponentPlan, Step } from '../plan.ts';
import { awaitable } from '../schedule.ts';
import { compileBuiltin } from './builtin.ts';
import type { ComponentValue, Extern, ModuleValue } from './extern.ts';
import {
  blocks,
  countInstance,
  exportsOf,
  Frame,
  type ImportSource,
  instanceOf,
  type Shared,
} from './frame.ts';
import { type ComponentInstance, createInstance } from './instance.ts';
import { addMade, compileLift, compileLower } from './lift-lower.ts';
import { createResource, resourceDrop, resourceNew, resourceRep } from './resource.ts';

type RunStep = (frame: Frame) => void | Promise<void>;

export interface CompiledPlan {
  readonly type: ComponentType;
  readonly plan: ComponentPlan;
  readonly steps: readonly RunStep[];
}

export function compilePlan(plan: ComponentPlan, modules: readonly ModuleValue[]): CompiledPlan {
  const names = new Map(plan.type.definedResources.map(({ slot, name }) => [slot, name]));
  const steps = plan.steps.map((step) => compileStep(step, modules, (slot) => names.get(slot) ?? 'resource'));
  return { type: plan.type, plan, steps };
}

/** Makes an instance of a component. `mayBlock` says whether anything among `args` may suspend it. */
export function instantiate(
  { plan, outer }: ComponentValue,
  args: ImportSource,
  mayBlock: boolean,
  parent: ComponentInstance | null,
  shared: Shared,
  resources: RuntimeResource[] = [],
): Frame | Promise<Frame> {
  countInstance(shared);
  const self = createInstance(parent, resources, mayBlock);
  try {
    const made = runFrom(plan.steps, new Frame(self, shared, outer, args), 0);
    return made instanceof Promise ? made.catch((error) => fail(self, error)) : made;
  } catch (error) {
    return fail(self, error);
  }
}

function fail(self: ComponentInstance, error: unknown): never {
  self.end();
  throw error;
}

function runFrom(steps: readonly RunStep[], frame: Frame, from: number): Frame | Promise<Frame> {
  for (let i = from; i < steps.length; i++) {
    const pending = steps[i]!(frame);
    if (pending !== undefined) return pending.then(() => runFrom(steps, frame, i + 1));
  }
  frame.self.mayEnter = true;
  return frame;
}

function compileStep(step: Step, modules: readonly ModuleValue[], nameOf: (slot: number) => string): RunStep {
  switch (step.op) {
    case 'module': {
      const value = modules[step.module.ordinal]!;
      return (frame) => frame.add('module', value);
    }
    case 'core instantiate':
      return coreInstantiate(step);
    case 'core exports':
      return (frame) => {
        const exports: WebAssembly.Exports = Object.create(null);
        for (const { name, sort, index } of step.exports)
          exports[name] = frame[`core ${sort as CoreItem}`][index]!;
        frame.add('core instance', exports);
      };
    case 'core alias': {
      const sort = `core ${step.sort as CoreItem}` as const;
      return (frame) => frame.add(sort, frame['core instance'][step.instance]![step.name] as CoreFunction);
    }
    case 'component': {
      const plan = compilePlan(step.plan, modules);
      return (frame) => frame.add('component', { plan, outer: frame });
    }
    case 'instantiate':
      return componentInstantiate(step);
    case 'exports':
      return (frame) => {
        const exports = new Map(step.exports.map(({ name, item }) => [name, frame.externOf(item)]));
        frame.add('instance', instanceOf(exports));
      };
    case 'alias':
      return (frame) => frame.addExtern(frame.instance[step.instance]!.get(step.name)!);
    case 'outer alias':
      return (frame) => {
        let at = frame;
        for (let i = 0; i < step.count; i++) at = at.outer!;
        frame.add(step.sort, at[step.sort][step.index] as ModuleValue & ComponentValue);
      };
    case 'resource':
      return (frame) => {
        const dtor = step.dtor === null ? null : frame['core func'][step.dtor]!;
        const { self, shared } = frame;
        self.resources[step.slot] = createResource(nameOf(step.slot), self, dtor, shared.suspendables);
      };
    case 'lift':
      return compileLift(step);
    case 'lower':
      return compileLower(step);
    case 'resource.new':
      return (frame) => addMade(frame, resourceNew(frame.self, frame.self.resources[step.slot]!), false);
    case 'resource.rep':
      return (frame) => addMade(frame, resourceRep(frame.self, frame.self.resources[step.slot]!), false);
    case 'resource.drop':
      return (frame) => {
        const resource = frame.self.resources[step.slot]!;
        addMade(frame, resourceDrop(frame.self, resource), resource.blocks);
      };
    case 'builtin': {
      const make = compileBuiltin(step.canon, step.element);
      return (frame) => addMade(frame, make(frame), false);
    }
    case 'import':
      return (frame) => {
        const extern = frame.args.get(step.name);
        if (extern === undefined) {
          throw new WitboxError('import-missing', { name: step.name, expected: step.type.kind });
        }
        frame.addExtern(extern);
        frame.bind(extern, step.bind);
      };
    case 'export':
      return (frame) => {
        const extern = frame.externOf(step.item);
        frame.exports.set(step.name, extern);
        frame.addExtern(extern);
      };
  }
}

/** The sorts of which core instances export items; the validator lets no others through. */
type CoreItem = 'func' | 'table' | 'memory' | 'global' | 'tag';

function coreInstantiate(step: Extract<Step, { op: 'core instantiate' }>): RunStep {
  return (frame) => {
    const { self, shared } = frame;
    countInstance(shared);
    const value = frame.module[step.module]!;
    const { exports } = link(value, step.args.length === 0 ? undefined : importsOf(step.args, frame));
    frame.add('core instance', exports);
    if (value.start === null) return;
    const start = exports[value.start] as CoreFunction;
    if (!self.blocks) return void start();
    return Promise.resolve(awaitable(start, shared.suspendables)()).then(() => {});
  };
}

function importsOf(
  args: readonly { readonly name: string; readonly instance: number }[],
  frame: Frame,
): WebAssembly.Imports {
  const imports: WebAssembly.Imports = Object.create(null);
  for (const { name, instance } of args) imports[name] = frame['core instance'][instance]!;
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
      const extern = frame.externOf(item);
      args.set(name, extern);
      mayBlock ||= blocks(extern);
    }
    const finish = ({ exports, self }: Frame): void => {
      const value = exportsOf(exports, self);
      frame.add('instance', value);
      frame.bind({ kind: 'instance', value }, step.bind);
    };
    const made = instantiate(frame.component[step.component]!, args, mayBlock, frame.self, frame.shared);
    return made instanceof Promise ? made.then(finish) : finish(made);
  };
}
