// A component instance at run time: its handle table, and the two flags by which the component model keeps calls
// from going where they must not (CanonicalABI.md, "Component Instances"). A trap leaves the flags as they are, so
// that nothing can enter an instance whose state it may have broken.

import type { Owner } from '../abi/context.ts';
import { HandleTable } from '../abi/handle-table.ts';
import type { RuntimeResource } from '../abi/resource.ts';
import { raise } from '../trap.ts';

export interface ComponentInstance extends Owner {
  readonly parent: ComponentInstance | null;
  /** Itself and those around it, which a call from the host enters. */
  readonly around: readonly ComponentInstance[];
  mayEnter: boolean;
  /** Something it imports may suspend it. */
  readonly blocks: boolean;
  /** What the guest keeps for the call now running (`context.get`, `context.set`, `task.return`). */
  task: Task | null;
  /** How often the guest has asked not to be called asynchronously. */
  backpressure: number;
  /** Ends it and the instances in it: no way in, no way out, and the host gets back what they own of its resources. */
  end(): void;
}

export interface Task {
  readonly storage: [number | bigint, number | bigint];
  /** Set by `task.return`. */
  returned: { readonly value: unknown } | null;
}

/** What not every instance needs is made when first asked for: most live for one call. */
class RuntimeInstance implements ComponentInstance {
  readonly parent: ComponentInstance | null;
  readonly resources: RuntimeResource[];
  readonly blocks: boolean;
  mayLeave = true;
  // Not to be entered before it is complete.
  mayEnter = false;
  task: Task | null = null;
  backpressure = 0;
  #handles: HandleTable | null = null;
  #children: ComponentInstance[] | null = null;
  #around: readonly ComponentInstance[] | null = null;

  constructor(parent: ComponentInstance | null, resources: RuntimeResource[], blocks: boolean) {
    this.parent = parent;
    this.resources = resources;
    this.blocks = blocks;
  }

  adopt(child: ComponentInstance): void {
    this.#children ??= [];
    this.#children.push(child);
  }

  end(): void {
    this.mayEnter = false;
    this.mayLeave = false;
    for (const child of this.#children ?? []) child.end();
    for (const entry of this.#handles?.drain() ?? []) {
      if ('resource' in entry && entry.own && entry.resource.impl === null) {
        entry.resource.destroy(entry.rep, null);
      }
    }
  }

  get handles(): HandleTable {
    this.#handles ??= new HandleTable();
    return this.#handles;
  }

  get around(): readonly ComponentInstance[] {
    this.#around ??= this.parent === null ? [this] : [this, ...this.parent.around];
    return this.#around;
  }
}

export function createInstance(
  parent: ComponentInstance | null,
  resources: RuntimeResource[],
  blocks: boolean,
): ComponentInstance {
  const instance = new RuntimeInstance(parent, resources, blocks);
  if (parent instanceof RuntimeInstance) parent.adopt(instance);
  return instance;
}

export function taskOf(instance: ComponentInstance): Task {
  instance.task ??= { storage: [0, 0], returned: null };
  return instance.task;
}

/** The instances that a call from `caller` (the host, if null) enters: those around the callee but not the caller. */
export function enteringSet(
  callee: ComponentInstance,
  caller: ComponentInstance | null,
): readonly ComponentInstance[] {
  return caller === null ? callee.around : callee.around.filter((one) => !caller.around.includes(one));
}

export function enter(set: readonly ComponentInstance[]): void {
  for (const instance of set) {
    if (!instance.mayEnter) raise('reentrance', 'cannot enter component instance');
  }
  for (const instance of set) instance.mayEnter = false;
}

export function leave(set: readonly ComponentInstance[]): void {
  for (const instance of set) instance.mayEnter = true;
}

export function checkMayLeave(instance: Owner): void {
  if (!instance.mayLeave) raise('reentrance', 'cannot leave component instance');
}

/** Calls between an instance and itself, its parents or its children trap, as the reference suite has it for now. */
export function isKin(a: ComponentInstance, b: ComponentInstance): boolean {
  return enteringSet(a, b).length === 0 || enteringSet(b, a).length === 0;
}
