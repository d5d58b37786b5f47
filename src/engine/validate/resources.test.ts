import {
  alias,
  bag,
  canon,
  component,
  componentType,
  coreItems,
  declare,
  exports,
  func,
  imports,
  instanceType,
  instantiate,
  is,
  lift,
  nested,
  outer,
  own,
  resource,
  type,
} from '../../../test/support/component-ast.ts';
import { testRules } from '../../../test/support/rules.ts';

const makesResource = nested(type(resource()), exports('r', 'type', 0));
const takesTwo = nested(imports('a', is.resource), imports('b', is.type(0)));

testRules([
  {
    rule: 'a destructor takes the representation and returns nothing',
    kept: [component(coreItems({ drop: [['i32']] }), type(resource('i32', 0)))],
    broken: [
      [
        component(coreItems({ drop: [['i64']] }), type(resource('i32', 0))),
        /wrong signature for a destructor/,
      ],
      [component(coreItems({ drop: [['i32'], ['i32']] }), type(resource('i32', 0))), /wrong signature/],
      [component(type(resource('i32', 0))), /unknown core function 0/],
    ],
  },
  {
    rule: 'only the component that defines a resource makes handles and reads representations',
    kept: [
      component(
        type(resource()),
        canon({ kind: 'resource.new', type: 0 }),
        canon({ kind: 'resource.rep', type: 0 }),
        imports('r', is.resource),
        canon({ kind: 'resource.drop', type: 1, async: false }),
      ),
      component(type(resource()), exports('r', 'type', 0), canon({ kind: 'resource.new', type: 1 })),
    ],
    broken: [
      [
        component(imports('r', is.resource), canon({ kind: 'resource.new', type: 0 })),
        /not a local resource/,
      ],
      [
        component(imports('r', is.resource), canon({ kind: 'resource.rep', type: 0 })),
        /not a local resource/,
      ],
      [
        component(
          makesResource,
          instantiate(0),
          alias('type', 0, 'r'),
          canon({ kind: 'resource.new', type: 0 }),
        ),
        /not a local resource/,
      ],
      [
        component(type(func()), canon({ kind: 'resource.drop', type: 0, async: false })),
        /not a resource type/,
      ],
    ],
  },
  {
    rule: 'each instance of a component has resources of its own',
    kept: [
      component(
        makesResource,
        takesTwo,
        instantiate(0),
        alias('type', 0, 'r'),
        instantiate(1, { a: ['type', 0], b: ['type', 0] }),
      ),
    ],
    broken: [
      [
        component(
          makesResource,
          takesTwo,
          instantiate(0),
          instantiate(0),
          alias('type', 0, 'r'),
          alias('type', 1, 'r'),
          instantiate(1, { a: ['type', 0], b: ['type', 1] }),
        ),
        /type mismatch for import "b": resource types are not the same/,
      ],
    ],
  },
  {
    rule: 'two imports of one instance type have different resources',
    kept: [
      component(
        type(instanceType(declare.export('r', is.resource))),
        imports('x', is.instance(0)),
        alias('type', 0, 'r'),
        takesTwo,
        instantiate(0, { a: ['type', 1], b: ['type', 1] }),
      ),
    ],
    broken: [
      [
        component(
          type(instanceType(declare.export('r', is.resource))),
          imports('x', is.instance(0)),
          imports('y', is.instance(0)),
          alias('type', 0, 'r'),
          alias('type', 1, 'r'),
          takesTwo,
          instantiate(0, { a: ['type', 1], b: ['type', 2] }),
        ),
        /resource types are not the same/,
      ],
    ],
  },
  {
    rule: 'what a component was given stands in the type of its instance',
    kept: [
      component(
        imports('r', is.resource),
        nested(imports('x', is.resource), exports('y', 'type', 0)),
        instantiate(0, { x: ['type', 0] }),
        alias('type', 0, 'y'),
        takesTwo,
        instantiate(1, { a: ['type', 0], b: ['type', 1] }),
      ),
    ],
    broken: [
      [
        component(
          imports('r', is.resource),
          imports('s', is.resource),
          nested(imports('x', is.resource), exports('y', 'type', 0)),
          instantiate(0, { x: ['type', 1] }),
          alias('type', 0, 'y'),
          takesTwo,
          instantiate(1, { a: ['type', 0], b: ['type', 2] }),
        ),
        /resource types are not the same/,
      ],
    ],
  },
  {
    rule: 'types that mention resources do not cross the border of a component',
    kept: [
      component(type({ kind: 'list', element: 'u8' }), nested(outer('type', 1, 0), exports('t', 'type', 0))),
      component(
        imports('r', is.resource),
        type(
          instanceType(
            declare.outer(1, 0),
            declare.type(own(0)),
            declare.type(func({ x: 1 })),
            declare.export('f', is.func(2)),
          ),
        ),
        imports('i', is.instance(1)),
      ),
    ],
    broken: [
      [component(imports('r', is.resource), nested(outer('type', 1, 0))), /transitively refers to resources/],
      [
        component(imports('r', is.resource), type(own(0)), nested(outer('type', 1, 1))),
        /transitively refers/,
      ],
      [
        component(
          imports('r', is.resource),
          type(componentType(declare.outer(1, 0), declare.export('r', is.type(0)))),
          imports('c', is.component(1)),
          nested(outer('component', 1, 0)),
        ),
        /transitively refers to resources/,
      ],
    ],
  },
  {
    rule: 'a component that was given and is handed on keeps resources of its own',
    kept: [
      component(
        nested(
          type(componentType(declare.export('r', is.resource))),
          imports('c', is.component(0)),
          exports('d', 'component', 0),
        ),
        makesResource,
        takesTwo,
        instantiate(0, { c: ['component', 1] }),
        alias('component', 0, 'd'),
        instantiate(3),
        alias('type', 1, 'r'),
        instantiate(2, { a: ['type', 0], b: ['type', 0] }),
      ),
    ],
    broken: [
      [
        component(
          nested(
            type(componentType(declare.export('r', is.resource))),
            imports('c', is.component(0)),
            exports('d', 'component', 0),
          ),
          makesResource,
          takesTwo,
          instantiate(0, { c: ['component', 1] }),
          alias('component', 0, 'd'),
          instantiate(3),
          instantiate(3),
          alias('type', 1, 'r'),
          alias('type', 2, 'r'),
          instantiate(2, { a: ['type', 0], b: ['type', 1] }),
        ),
        /resource types are not the same/,
      ],
    ],
  },
  {
    rule: 'imports do not mention what the component itself defines',
    kept: [
      component(
        type(resource()),
        imports('r', is.resource),
        type(own(1)),
        type(func({ x: 2 })),
        imports('f', is.func(3)),
      ),
    ],
    broken: [
      [component(type(resource()), imports('r', is.type(0))), /local resource type found in imports/],
      [
        component(type(resource()), type(own(0)), type(func({ x: 1 })), imports('f', is.func(2))),
        /has no name here/,
      ],
    ],
  },
  {
    rule: 'functions are exported with resources under their exported names',
    kept: [
      component(
        coreItems({ f: [[], ['i32']] }),
        type(resource()),
        exports('r', 'type', 0),
        type(own(1)),
        type(func({}, 2)),
        lift(0, 3),
        exports('[constructor]r', 'func', 0),
      ),
    ],
    broken: [
      [
        component(
          coreItems({ f: [[], ['i32']] }),
          type(resource()),
          exports('r', 'type', 0),
          type(own(0)),
          type(func({}, 2)),
          lift(0, 3),
          exports('f', 'func', 0),
        ),
        /has no name here/,
      ],
    ],
  },
  {
    rule: 'a resource that is exported within an instance counts as exported',
    kept: [
      component(
        coreItems({ f: [[], ['i32']] }),
        type(resource()),
        bag({ r: ['type', 0] }),
        exports('i', 'instance', 0),
        alias('type', 1, 'r'),
        type(own(1)),
        type(func({}, 2)),
        lift(0, 3),
        exports('f', 'func', 0),
      ),
    ],
    broken: [],
  },
]);
