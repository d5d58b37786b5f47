// One instantiation under way: the index spaces of a component, which its steps fill in order. Most components leave
// most spaces empty, so a space is made when something is first put into it.

import { WitboxError } from '../../core/errors.ts';
import type { CoreFunction } from '../abi/context.ts';
import type { RuntimeResource } from '../abi/resource.ts';
import type { Limits } from '../limits.ts';
import type { ItemRef, ResourceBinding } from '../plan.ts';
import type { Suspendables } from '../schedule.ts';
import type { ComponentValue, Extern, FuncValue, InstanceValue, ModuleValue } from './extern.ts';
import type { ComponentInstance } from './instance.ts';

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

export function countInstance(shared: Shared): void {
  if (--shared.instancesLeft < 0) throw new WitboxError('too-many-instances');
}

/** Where a component instance finds what it imports. */
export interface ImportSource {
  get(name: string): Extern | undefined;
}

interface Spaces {
  'core func': CoreFunction;
  'core table': WebAssembly.Table;
  'core memory': WebAssembly.Memory;
  'core global': WebAssembly.Global;
  'core tag': WebAssembly.Tag;
  'core instance': WebAssembly.Exports;
  module: ModuleValue;
  func: FuncValue;
  instance: InstanceValue;
  component: ComponentValue;
}

type Lists = { [S in keyof Spaces]: readonly Spaces[S][] };

const EMPTY: readonly never[] = Object.freeze([]);

export class Frame implements Lists {
  readonly self: ComponentInstance;
  readonly shared: Shared;
  readonly outer: Frame | null;
  readonly args: ImportSource;
  readonly exports = new Map<string, Extern>();

  readonly 'core func': readonly CoreFunction[] = EMPTY;
  readonly 'core table': readonly WebAssembly.Table[] = EMPTY;
  readonly 'core memory': readonly WebAssembly.Memory[] = EMPTY;
  readonly 'core global': readonly WebAssembly.Global[] = EMPTY;
  readonly 'core tag': readonly WebAssembly.Tag[] = EMPTY;
  readonly 'core instance': readonly WebAssembly.Exports[] = EMPTY;
  readonly module: readonly ModuleValue[] = EMPTY;
  readonly func: readonly FuncValue[] = EMPTY;
  readonly instance: readonly InstanceValue[] = EMPTY;
  readonly component: readonly ComponentValue[] = EMPTY;

  constructor(self: ComponentInstance, shared: Shared, outer: Frame | null, args: ImportSource) {
    this.self = self;
    this.shared = shared;
    this.outer = outer;
    this.args = args;
  }

  /** Puts an item at the end of the space of its sort. */
  add<S extends keyof Spaces>(sort: S, item: Spaces[S]): void {
    const spaces = this as unknown as Record<S, Spaces[S][]>;
    if (spaces[sort].length === 0) spaces[sort] = [item];
    else spaces[sort].push(item);
  }

  addExtern(extern: Extern): void {
    if (extern.kind !== 'type') this.add(extern.kind, extern.value as Spaces[typeof extern.kind]);
  }

  externOf(item: ItemRef): Extern {
    if (item.sort === 'type') {
      return { kind: 'type', value: item.slot === null ? null : this.self.resources[item.slot]! };
    }
    return { kind: item.sort, value: this[item.sort][item.index] } as Extern;
  }

  /** Takes the resources that came with an import or a new instance into the slots that there are for them. */
  bind(extern: Extern, bindings: readonly ResourceBinding[]): void {
    for (const { slot, path } of bindings) {
      const resource = resourceAt(extern, path);
      if (resource !== null) this.self.resources[slot] = resource;
    }
  }
}

export function resourceAt(extern: Extern | undefined, path: readonly string[]): RuntimeResource | null {
  let at = extern;
  for (const name of path) at = at?.kind === 'instance' ? at.value.get(name) : undefined;
  return at?.kind === 'type' ? at.value : null;
}

/** Whether what calls or uses it may be suspended. */
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

/** Several items as one instance. */
export function instanceOf(exports: ReadonlyMap<string, Extern>): InstanceValue {
  return { get: (name) => exports.get(name), blocks: exports.values().some(blocks) };
}

/** The exports of a component instance, as other components see them. */
export function exportsOf(exports: ReadonlyMap<string, Extern>, instance: ComponentInstance): InstanceValue {
  return { get: (name) => exports.get(name), blocks: instance.blocks };
}
