import assert from 'node:assert/strict';
import { it } from 'node:test';
import {
  bag,
  component,
  coreItems,
  declare,
  exports,
  func,
  imports,
  instanceType,
  instantiate,
  is,
  list,
  lower,
  memory,
  nested,
  type Part,
  resource,
  type,
} from '../../../test/support/component-ast.ts';
import { assertRefused } from '../../../test/support/rules.ts';
import { validateComponent } from './component.ts';

const times = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => make(index));

it('a value type that doubles with each definition is refused by its unfolded size', () => {
  const doubling = (count: number) =>
    component(type(list('u8')), ...times(count, (index) => type({ kind: 'tuple', items: [index, index] })));
  validateComponent(doubling(15));
  assertRefused(doubling(30), /effective type size exceeds the limit/);
});

it('types nested too deep are refused', () => {
  const deep = (count: number) => component(type(list('u8')), ...times(count, (index) => type(list(index))));
  validateComponent(deep(90));
  assertRefused(deep(200), /type nesting is too deep/);
});

it('instance types that contain one another are bounded in size and depth', () => {
  const level = (index: number, width: number) =>
    type(
      instanceType(
        declare.outer(1, index),
        ...times(width, (name) => declare.export(`e${name}`, is.instance(0))),
      ),
    );
  assertRefused(
    component(type(instanceType()), ...times(10, (index) => level(index, 10))),
    /effective type size exceeds the limit/,
  );
  assertRefused(
    component(type(instanceType()), ...times(200, (index) => level(index, 1))),
    /type nesting is too deep/,
  );
});

it('components nested too deep are refused', () => {
  let innermost: Part = nested();
  for (let depth = 0; depth < 200; depth++) innermost = nested(innermost);
  assertRefused(component(innermost), /nested more than 100 deep/);
});

it('instances that contain one another are bounded', () => {
  const layers = times(12, (index) =>
    bag(Object.fromEntries(times(10, (name) => [`e${name}`, ['instance', index]]))),
  );
  assertRefused(component(bag({}), ...layers), /effective type size exceeds the limit/);
});

it('the number of instances is bounded', () => {
  assert.throws(
    () => validateComponent(component(...times(30, () => bag({}))), { instances: 20 }),
    /more than 20 instances/,
  );
});

it('the number of resource types is bounded, those of instances included', () => {
  const maker = nested(type(resource()), exports('r', 'type', 0));
  const many = component(maker, ...times(30, () => instantiate(0)));
  validateComponent(many);
  assert.throws(() => validateComponent(many, { resources: 20 }), /more than 20 resource types/);
});

it('the length of an index space is bounded', () => {
  const many = component(...times(30, () => type(func())));
  assert.throws(() => validateComponent(many, { definitions: 20 }), /too many definitions/);
});

it('all walks over types draw on one budget', () => {
  const wide = type(
    instanceType(declare.type(func()), ...times(1_000, (index) => declare.export(`f${index}`, is.func(0)))),
  );
  const importer = nested(wide, imports('i', is.instance(0)));
  const many = component(
    wide,
    imports('i', is.instance(0)),
    importer,
    ...times(300, () => instantiate(0, { i: ['instance', 0] })),
  );
  validateComponent(many);
  assert.throws(() => validateComponent(many, { work: 100_000 }), /too complex to check/);
  const parameters = Object.fromEntries(times(1_000, (index) => [`p${index}`, 'u8' as const]));
  const lowering = component(
    coreItems({ mem: memory() }),
    type(func(parameters)),
    imports('f', is.func(0)),
    ...times(100, () => lower(0, { memory: 0 })),
  );
  validateComponent(lowering);
  assert.throws(() => validateComponent(lowering, { work: 50_000 }), /too complex to check/);
});
