// Runs a plan without running any code: instances are maps of exports, resources are bare identities. It checks what
// a linker takes for granted: every index leads somewhere, every resource is found where the plan says, and every item
// has, at run time, the resources that its static type names.

import assert from 'node:assert/strict';
import type { ComponentPlan, ItemRef, Step } from '../../src/engine/plan.ts';
import { matchExtern } from '../../src/engine/validate/subtype.ts';
import type { ExternType, FuncType, ResourceType } from '../../src/wit/type.ts';

type Resource = { readonly resource: true };
/** Resources by slot, of one component instance. */
type Slots = (Resource | undefined)[];

type Item =
  | { readonly kind: 'module' }
  | { readonly kind: 'plain type' }
  | { readonly kind: 'resource'; readonly resource: Resource }
  | { readonly kind: 'func'; readonly type: FuncType; readonly slots: Slots }
  | { readonly kind: 'instance'; readonly exports: ReadonlyMap<string, Item> }
  | { readonly kind: 'component'; readonly plan: ComponentPlan | null; readonly outer: Frame | null };

interface Frame {
  readonly slots: Slots;
  readonly outer: Frame | null;
  readonly module: Item[];
  readonly func: Item[];
  readonly instance: Item[];
  readonly component: Item[];
  readonly core: Map<string, number>;
}

/** Replays a component; imports that are not given are made up from their types. */
export function replayPlan(plan: ComponentPlan): void {
  replay(plan, null, null);
}

function replay(
  plan: ComponentPlan,
  args: ReadonlyMap<string, Item> | null,
  outer: Frame | null,
): ReadonlyMap<string, Item> {
  const slots: Slots = new Array(plan.resourceSlots).fill(undefined);
  const frame: Frame = {
    slots,
    outer,
    module: [],
    func: [],
    instance: [],
    component: [],
    core: new Map(),
  };
  const exports = new Map<string, Item>();
  for (const step of plan.steps) run(frame, step, args, exports);
  for (const [name, type] of plan.type.exports) check(frame, exports.get(name), type);
  return exports;
}

function run(
  frame: Frame,
  step: Step,
  args: ReadonlyMap<string, Item> | null,
  exports: Map<string, Item>,
): void {
  switch (step.op) {
    case 'module':
      frame.module.push({ kind: 'module' });
      break;
    case 'core instantiate':
      at(frame.module, step.module);
      for (const arg of step.args) coreAt(frame, 'instance', arg.instance);
      pushCore(frame, 'instance');
      break;
    case 'core exports':
      for (const one of step.exports) coreAt(frame, one.sort, one.index);
      pushCore(frame, 'instance');
      break;
    case 'core alias':
      coreAt(frame, 'instance', step.instance);
      pushCore(frame, step.sort);
      break;
    case 'component':
      frame.component.push({ kind: 'component', plan: step.plan, outer: frame });
      break;
    case 'outer alias': {
      let from: Frame | null = frame;
      for (let left = step.count; left > 0; left--) from = from?.outer ?? null;
      assert.ok(from, 'an outer alias leads to an enclosing component');
      frame[step.sort].push(at(from[step.sort], step.index));
      break;
    }
    case 'alias': {
      const item = exportsOf(at(frame.instance, step.instance)).get(step.name);
      assert.equal(item?.kind, step.sort);
      frame[step.sort].push(item!);
      break;
    }
    case 'import': {
      const item = args?.get(step.name) ?? madeUp(frame, step.type);
      bind(frame, item, step.bind);
      introduce(frame, item, step.type);
      break;
    }
    case 'instantiate': {
      const component = at(frame.component, step.component);
      assert.equal(component.kind, 'component');
      const given = new Map(step.args.map((arg) => [arg.name, itemOf(frame, arg.item)]));
      const { plan, outer } = component as Item & { kind: 'component' };
      const type: ExternType = { kind: 'instance', type: step.type };
      const made: Item = plan
        ? { kind: 'instance', exports: replay(plan, given, outer) }
        : madeUp(frame, type);
      bind(frame, made, step.bind);
      introduce(frame, made, type);
      break;
    }
    case 'exports': {
      const listed = new Map<string, Item>();
      for (const one of step.exports) {
        const item = itemOf(frame, one.item);
        check(frame, item, one.type);
        listed.set(one.name, item);
      }
      frame.instance.push({ kind: 'instance', exports: listed });
      break;
    }
    case 'export': {
      const item = itemOf(frame, step.item);
      introduce(frame, item, step.type);
      assert.ok(!exports.has(step.name));
      exports.set(step.name, item);
      break;
    }
    case 'resource':
      assert.equal(frame.slots[step.slot], undefined, 'a slot is filled once');
      frame.slots[step.slot] = { resource: true };
      if (step.dtor !== null) coreAt(frame, 'func', step.dtor);
      break;
    case 'lift':
      coreAt(frame, 'func', step.func);
      frame.func.push({ kind: 'func', type: step.type, slots: frame.slots });
      break;
    case 'lower': {
      check(frame, at(frame.func, step.func), { kind: 'func', type: step.type });
      pushCore(frame, 'func');
      break;
    }
    case 'builtin':
      pushCore(frame, 'func');
      break;
    default:
      assert.ok(frame.slots[step.slot], 'a handle function knows its resource');
      pushCore(frame, 'func');
  }
}

function bind(
  frame: Frame,
  item: Item,
  bindings: readonly { readonly slot: number; readonly path: readonly string[] }[],
): void {
  for (const { slot, path } of bindings) {
    let found: Item | undefined = item;
    for (const name of path) found = found && exportsOf(found).get(name);
    assert.equal(found?.kind, 'resource', `a resource stands at ${path.join('/')}`);
    assert.equal(frame.slots[slot], undefined, 'a slot is filled once');
    frame.slots[slot] = (found as Item & { kind: 'resource' }).resource;
  }
}

/** Checks an item against its type and pushes it onto the index space of its sort. */
function introduce(frame: Frame, item: Item, type: ExternType): void {
  check(frame, item, type);
  if (type.kind !== 'type') frame[type.kind].push(item);
}

/** The item is what its type says, with this instance's resources for the type's slots. */
function check(frame: Frame, item: Item | undefined, type: ExternType): void {
  switch (type.kind) {
    case 'type':
      if (type.type.kind !== 'resource') return;
      assert.equal(item?.kind, 'resource');
      assert.equal((item as Item & { kind: 'resource' }).resource, resourceOf(frame, type.type.type));
      return;
    case 'instance':
      for (const [name, one] of type.type.exports) check(frame, exportsOf(item).get(name), one);
      return;
    case 'func': {
      assert.equal(item?.kind, 'func');
      const { type: own, slots } = item as Item & { kind: 'func' };
      const sameResource = (a: ResourceType, b: ResourceType) => slots[a.slot] === resourceOf(frame, b);
      assert.equal(matchExtern({ kind: 'func', type: own }, type, { sameResource }), null);
      return;
    }
    default:
      assert.equal(item?.kind, type.kind);
  }
}

function resourceOf(frame: Frame, type: ResourceType): Resource {
  const resource = frame.slots[type.slot];
  assert.ok(resource, `slot ${type.slot} is filled before it is used`);
  return resource;
}

/** An item of this type, as a host might give it. */
function madeUp(frame: Frame, type: ExternType): Item {
  // Resources that the item brings along have no slot yet; within one item they are told apart by their slots.
  const fresh = new Map<number, Resource>();
  const slots: Slots = [];
  const resource = (of: ResourceType): Resource => {
    const known = frame.slots[of.slot] ?? fresh.get(of.slot) ?? { resource: true };
    fresh.set(of.slot, known);
    slots[of.slot] = known;
    return known;
  };
  frame.slots.forEach((known, slot) => {
    slots[slot] = known;
  });
  const make = (one: ExternType): Item => {
    switch (one.kind) {
      case 'module':
        return { kind: 'module' };
      case 'func':
        return { kind: 'func', type: one.type, slots };
      case 'type':
        if (one.type.kind !== 'resource') return { kind: 'plain type' };
        return { kind: 'resource', resource: resource(one.type.type) };
      case 'instance':
        return {
          kind: 'instance',
          exports: new Map([...one.type.exports].map(([name, item]) => [name, make(item)])),
        };
      case 'component':
        return { kind: 'component', plan: null, outer: null };
    }
  };
  return make(type);
}

function itemOf(frame: Frame, ref: ItemRef): Item {
  if (ref.sort !== 'type') return at(frame[ref.sort], ref.index);
  if (ref.slot === null) return { kind: 'plain type' };
  const resource = frame.slots[ref.slot];
  assert.ok(resource, `slot ${ref.slot} is filled before it is given away`);
  return { kind: 'resource', resource };
}

function exportsOf(item: Item | undefined): ReadonlyMap<string, Item> {
  assert.equal(item?.kind, 'instance');
  return (item as Item & { kind: 'instance' }).exports;
}

function at<T>(space: readonly T[], index: number): T {
  assert.ok(index < space.length, `index ${index} is within its space of ${space.length}`);
  return space[index]!;
}

function pushCore(frame: Frame, sort: string): void {
  frame.core.set(sort, (frame.core.get(sort) ?? 0) + 1);
}

function coreAt(frame: Frame, sort: string, index: number): void {
  assert.ok(index < (frame.core.get(sort) ?? 0), `core ${sort} ${index} is within its space`);
}
