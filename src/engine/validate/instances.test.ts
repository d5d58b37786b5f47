import {
  alias,
  bag,
  component,
  componentType,
  coreAlias,
  coreBag,
  coreFunc,
  coreInstance,
  coreItems,
  declare,
  exports,
  func,
  imports,
  instanceType,
  instantiate,
  is,
  memory,
  moduleDecls,
  moduleImport,
  nested,
  outer,
  record,
  type,
} from '../../../test/support/component-ast.ts';
import { testRules } from '../../../test/support/rules.ts';

const takesFunc = nested(type(func({ x: 'u8' }, 'u8')), imports('f', is.func(0)), exports('g', 'func', 0));
const giveFunc = (params: Record<string, 'u8' | 's8'>, result: 'u8' | null) => [
  type(func(params, result)),
  imports('f', is.func(0)),
];
const globals = { i32: { kind: 'global', type: 'i32', mutable: false } } as const;

testRules([
  {
    rule: 'instantiating a component gives it everything it imports, of the right type',
    kept: [
      component(
        takesFunc,
        giveFunc({ x: 'u8' }, 'u8'),
        instantiate(0, { f: ['func', 0], more: ['func', 0] }),
      ),
    ],
    broken: [
      [component(takesFunc, instantiate(0)), /missing import named "f"/],
      [
        component(takesFunc, nested(), instantiate(0, { f: ['component', 1] })),
        /expected func, found component/,
      ],
      [
        component(takesFunc, giveFunc({ y: 'u8' }, 'u8'), instantiate(0, { f: ['func', 0] })),
        /expected parameter named "x", found "y"/,
      ],
      [
        component(takesFunc, giveFunc({ x: 's8' }, 'u8'), instantiate(0, { f: ['func', 0] })),
        /parameter "x": expected u8, found s8/,
      ],
      [
        component(takesFunc, giveFunc({}, 'u8'), instantiate(0, { f: ['func', 0] })),
        /expected 1 parameters, found 0/,
      ],
      [
        component(takesFunc, giveFunc({ x: 'u8' }, null), instantiate(0, { f: ['func', 0] })),
        /expected a type/,
      ],
      [component(instantiate(0)), /unknown component 0/],
      [
        component(nested(), nested(), {
          kind: 'instance',
          expr: {
            kind: 'instantiate',
            component: 0,
            args: [
              { name: 'a', item: { sort: 'component', index: 1 } },
              { name: 'a', item: { sort: 'component', index: 1 } },
            ],
          },
        }),
        /instantiation argument "a" conflicts/,
      ],
      [component(takesFunc, instantiate(0, { f: ['func', 0] })), /unknown function 0/],
    ],
  },
  {
    rule: 'instances may export more than is asked for, not less',
    kept: [
      component(
        nested(type(instanceType()), imports('i', is.instance(0))),
        giveFunc({}, null),
        bag({ a: ['func', 0] }),
        instantiate(0, { i: ['instance', 0] }),
      ),
    ],
    broken: [
      [
        component(
          nested(
            type(instanceType(declare.type(func()), declare.export('b', is.func(0)))),
            imports('i', is.instance(0)),
          ),
          giveFunc({}, null),
          bag({ a: ['func', 0] }),
          instantiate(0, { i: ['instance', 0] }),
        ),
        /import "i": missing expected export "b"/,
      ],
    ],
  },
  {
    rule: 'components may import less and export more than is asked for',
    kept: [
      component(
        nested(type(componentType(declare.import('r', is.resource))), imports('c', is.component(0))),
        nested(giveFunc({}, null)),
        nested(),
        instantiate(0, { c: ['component', 2] }),
      ),
    ],
    broken: [
      [
        component(
          nested(type(componentType()), imports('c', is.component(0))),
          nested(giveFunc({}, null)),
          instantiate(0, { c: ['component', 1] }),
        ),
        /import "c": missing import named "f"/,
      ],
      [
        component(
          nested(type(componentType(declare.export('r', is.resource))), imports('c', is.component(0))),
          nested(),
          instantiate(0, { c: ['component', 1] }),
        ),
        /missing export named "r"/,
      ],
    ],
  },
  {
    rule: 'types given to a component are equal to those it imports',
    kept: [
      component(
        type(record({ a: 'u8' })),
        nested(type(record({ a: 'u8' })), imports('t', is.type(0))),
        instantiate(0, { t: ['type', 0] }),
      ),
    ],
    broken: [
      [
        component(
          type(record({ a: 'u16' })),
          nested(type(record({ a: 'u8' })), imports('t', is.type(0))),
          instantiate(0, { t: ['type', 0] }),
        ),
        /type mismatch in field "a": expected u8, found u16/,
      ],
    ],
  },
  {
    rule: 'instantiating a core module gives it instances with what it imports',
    kept: [
      component(
        coreItems({ f: [['i32']] }),
        moduleImport(1, { f: [['i32']] }, {}),
        coreInstance(1, { m: 0 }),
        coreBag([['f', 'func', 0]]),
        coreInstance(1, { m: 2 }),
      ),
    ],
    broken: [
      [
        component(moduleImport(0, { f: [[]] }, {}), coreInstance(0)),
        /missing module instantiation argument named "m"/,
      ],
      [
        component(moduleImport(0, { f: [[]] }, {}), coreBag([]), coreInstance(0, { m: 0 })),
        /does not export an item named "f"/,
      ],
      [
        component(
          coreItems({ f: [['i32']] }),
          moduleImport(1, { f: [['i64']] }, {}),
          coreInstance(1, { m: 0 }),
        ),
        /expected \[i64\] -> \[\], found \[i32\] -> \[\]/,
      ],
      [
        component(coreItems({ f: globals.i32 }), moduleImport(1, { f: [[]] }, {}), coreInstance(1, { m: 0 })),
        /expected func, found global/,
      ],
      [component(coreInstance(0)), /unknown module 0/],
      [
        component(moduleImport(0, {}, {}), coreBag([]), {
          kind: 'core instance',
          expr: {
            kind: 'instantiate',
            module: 0,
            args: [
              { name: 'a', instance: 0 },
              { name: 'a', instance: 0 },
            ],
          },
        }),
        /duplicate module instantiation argument named "a"/,
      ],
      [component(coreBag([['a', 'module', 0]])), /core instances cannot export a core module/],
      [
        component({ kind: 'core type', type: coreFunc([]) }, imports('m', is.module(0))),
        /core type index 0 is not a module type/,
      ],
      [component(moduleImport(0, {}, {}), coreInstance(0, { m: 7 })), /unknown core instance 7/],
    ],
  },
  {
    rule: 'core memories, tables and globals fit in size, sharing and mutability',
    kept: [
      component(
        coreItems({ x: memory({ min: 2n, max: 4n }) }),
        moduleImport(1, { x: memory({ min: 1n, max: 5n }) }, {}),
        coreInstance(1, { m: 0 }),
      ),
    ],
    broken: [
      [
        component(
          coreItems({ x: memory({ min: 1n }) }),
          moduleImport(1, { x: memory({ min: 2n }) }, {}),
          coreInstance(1, { m: 0 }),
        ),
        /mismatch in memory limits/,
      ],
      [
        component(
          coreItems({ x: memory() }),
          moduleImport(1, { x: memory({ max: 5n }) }, {}),
          coreInstance(1, { m: 0 }),
        ),
        /mismatch in memory limits/,
      ],
      [
        component(
          coreItems({ x: memory({ is64: true }) }),
          moduleImport(1, { x: memory() }, {}),
          coreInstance(1, { m: 0 }),
        ),
        /mismatch in the index type/,
      ],
      [
        component(
          coreItems({ x: globals.i32 }),
          moduleImport(1, { x: { ...globals.i32, mutable: true } }, {}),
          coreInstance(1, { m: 0 }),
        ),
        /differ in mutability/,
      ],
      [component(coreItems({ x: memory({ shared: true }) })), /a shared memory must have a maximum/],
      [component(coreItems({ x: memory({ min: 70_000n }) })), /memory size must be at most 65536/],
      [component(coreItems({ x: memory({ min: 3n, max: 2n }) })), /must not be greater than its maximum/],
    ],
  },
  {
    rule: 'module types have each import and export once',
    kept: [component(moduleImport(0, { a: [[]] }, { a: [[]] }))],
    broken: [
      [
        component({
          kind: 'core type',
          type: {
            kind: 'module',
            decls: [...moduleDecls({ a: memory() }, {}), ...moduleDecls({ a: memory() }, {})],
          },
        }),
        /duplicate import name "a" from "m"/,
      ],
      [
        component({
          kind: 'core type',
          type: {
            kind: 'module',
            decls: [...moduleDecls({}, { a: memory() }), ...moduleDecls({}, { a: memory() })],
          },
        }),
        /exports "a" twice/,
      ],
      [
        component(
          coreItems({ f: [[]] }),
          coreBag([
            ['a', 'func', 0],
            ['a', 'func', 0],
          ]),
        ),
        /duplicate instantiation export/,
      ],
    ],
  },
  {
    rule: 'aliases lead to an export of the right sort',
    kept: [
      component(giveFunc({}, null), bag({ a: ['func', 0] }), alias('func', 0, 'a'), exports('b', 'func', 1)),
    ],
    broken: [
      [component(alias('func', 0, 'a')), /unknown instance 0/],
      [component(bag({}), alias('value', 0, 'a')), /values are not accepted/],
      [component(bag({}), alias('func', 0, 'a')), /instance 0 has no export named "a"/],
      [
        component(giveFunc({}, null), bag({ a: ['func', 0] }), alias('type', 0, 'a')),
        /export "a" for instance 0 is not a type/,
      ],
      [component(coreAlias('func', 0, 'a')), /unknown core instance 0/],
      [component(coreBag([]), coreAlias('func', 0, 'a')), /core instance 0 has no export named "a"/],
      [component(coreItems({ f: [[]] }), coreAlias('memory', 0, 'f')), /is not a memory/],
      [component(outer('type', 1, 0)), /invalid outer alias count of 1/],
      [component(outer('component', 0, 0)), /unknown component 0/],
      [component(nested(outer('func', 1, 0))), /cannot be aliased from an enclosing component/],
      [
        component(nested(), type(instanceType(declare.outer(1, 0, 'component')))),
        /aliases in a component or instance type may only refer to types or instances/,
      ],
    ],
  },
]);
