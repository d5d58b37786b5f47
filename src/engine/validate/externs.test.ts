import {
  bag,
  borrow,
  component,
  componentType,
  declare,
  exports,
  func,
  imports,
  instanceType,
  is,
  list,
  nested,
  own,
  type Part,
  record,
  resource,
  type,
} from '../../../test/support/component-ast.ts';
import { testRules } from '../../../test/support/rules.ts';
import type { ExternName } from '../decode/ast.ts';

const noName = /not valid to be used as (im|ex)port: it mentions a type that has no name here/;
const importFunc = (name: string | ExternName): Part[] => [type(func()), imports(name, is.func(0))];
const importInstance = (name: string | ExternName): Part[] => [
  type(instanceType()),
  imports(name, is.instance(0)),
];

testRules([
  {
    rule: 'import and export names follow the grammar',
    kept: [
      component(importFunc('a-b')),
      component(importFunc('wasi:cli/run@0.2.3')),
      component(importFunc('url=<https://example.com>')),
    ],
    broken: [
      [component(importFunc('aB')), /import name "aB" is not a valid extern name/],
      [component(importFunc('a:b')), /not a valid extern name/],
      [component(importFunc('a:b/c@1.0')), /invalid interface version "1.0"/],
      [component(importFunc('x'), exports('y y', 'func', 0)), /export name "y y" is not a valid/],
      [component(importFunc('x'), exports('url=<x>', 'func', 0)), /is not a valid export name/],
    ],
  },
  {
    rule: 'names of one side are unique, also when only case or annotation differs',
    kept: [component(importFunc('a'), exports('a', 'func', 0), exports('b', 'func', 0))],
    broken: [
      [
        component(importFunc('a'), imports('A', is.func(0))),
        /import name "A" conflicts with previous name "a"/,
      ],
      [
        component(importFunc('a:b/c'), imports('a:b/c', is.func(0))),
        /import name "a:b\/c" conflicts with previous/,
      ],
      [
        component(importFunc('a'), exports('b', 'func', 0), exports('B', 'func', 0)),
        /export name "B" conflicts/,
      ],
      [
        component(type(instanceType(declare.export('a', is.resource), declare.export('A', is.resource)))),
        /conflicts/,
      ],
      [component(imports('r', is.resource), type(func()), imports('[static]r.r', is.func(1))), /conflicts/],
      [component(importFunc('a'), bag({ a: ['func', 0], A: ['func', 0] })), /export name "A" conflicts/],
    ],
  },
  {
    rule: '`implements` stands on instances with plain names and names an interface',
    kept: [component(importInstance({ name: 'a', implements: 'a:b/c@1.0.0' }))],
    broken: [
      [component(importInstance({ name: 'x:y/z', implements: 'a:b/c' })), /not valid with `implements`/],
      [component(importFunc({ name: 'a', implements: 'a:b/c' })), /only instances can have an `implements`/],
      [component(importInstance({ name: 'a', implements: 'b' })), /must be an interface/],
      [component(importInstance({ name: 'a', implements: 'B b' })), /is not a valid name/],
      [component(importInstance({ name: 'a', implements: 'a:b/c@1' })), /invalid interface version/],
    ],
  },
  {
    rule: '`versionsuffix` completes a canonical version of an instance; `external-id` goes with anything',
    kept: [
      component(importInstance({ name: 'a:b/c@0.2', versionSuffix: '.6' })),
      component(importInstance({ name: 'a:b/c@1', versionSuffix: '.0.0-rc1' })),
      component(importFunc({ name: 'a', externalId: '☃' })),
    ],
    broken: [
      [
        component(importFunc({ name: 'a:b/c@0.2', versionSuffix: '.6' })),
        /only instances can have a `versionsuffix`/,
      ],
      [component(importInstance({ name: 'a:b/c@0.2.0', versionSuffix: '+x' })), /canonical version/],
      [component(importInstance({ name: 'a', versionSuffix: '.6' })), /canonical version/],
      [component(importInstance({ name: 'a:b/c@1', versionSuffix: '.x' })), /invalid interface version/],
      [component(importInstance('a:b/c@1')), /invalid interface version/],
    ],
  },
  {
    rule: 'a `[method]` takes a borrowed self of the resource that it is named for',
    kept: [
      component(
        imports('r', is.resource),
        type(borrow(0)),
        type(func({ self: 1 })),
        imports('[method]r.m', is.func(2)),
      ),
    ],
    broken: [
      [component(type(instanceType()), imports('[method]r.m', is.instance(0))), /item is not a func/],
      [component(type(func()), imports('[method]r.m', is.func(0))), /at least one argument/],
      [
        component(
          imports('r', is.resource),
          type(borrow(0)),
          type(func({ me: 1 })),
          imports('[method]r.m', is.func(2)),
        ),
        /first argument called `self`/,
      ],
      [
        component(
          imports('r', is.resource),
          type(own(0)),
          type(func({ self: 1 })),
          imports('[method]r.m', is.func(2)),
        ),
        /first argument of `\(borrow \$T\)`/,
      ],
      [
        component(
          imports('r', is.resource),
          type(borrow(0)),
          type(func({ self: 1 })),
          imports('[method]s.m', is.func(2)),
        ),
        /does not match expected resource name "r"/,
      ],
      [
        component(
          imports('r', is.resource),
          type(borrow(0)),
          type(func({ self: 1 })),
          imports('f', is.func(2)),
          exports('[method]r.m', 'func', 0),
        ),
        /resource used in function does not have a name in this context/,
      ],
    ],
  },
  {
    rule: 'a `[constructor]` is sync and returns its own resource, perhaps in a result',
    kept: [
      component(
        imports('r', is.resource),
        type(own(0)),
        type({ kind: 'result', ok: 1, err: 'string' }),
        type(func({}, 2)),
        imports('[constructor]r', is.func(3)),
      ),
      component(
        imports('r', is.resource),
        type(own(0)),
        type(func({}, 1)),
        imports('[constructor]r', is.func(2)),
      ),
    ],
    broken: [
      [component(type(func()), imports('[constructor]r', is.func(0))), /should return one value/],
      [component(type(func({}, 'u8')), imports('[constructor]r', is.func(0))), /should return `\(own \$T\)`/],
      [
        component(
          imports('r', is.resource),
          type(own(0)),
          type(func({}, 1, true)),
          imports('[constructor]r', is.func(2)),
        ),
        /constructor function cannot be async/,
      ],
    ],
  },
  {
    rule: 'a `[static]` function belongs to a resource of the same side',
    kept: [component(imports('r', is.resource), type(func()), imports('[static]r.s', is.func(1)))],
    broken: [
      [component(type(func()), imports('[static]r.s', is.func(0))), /static resource name is not known/],
      [
        component(
          imports('r', is.resource),
          type(func()),
          imports('f', is.func(1)),
          exports('[static]r.s', 'func', 0),
        ),
        /static resource name is not known/,
      ],
    ],
  },
  {
    rule: 'records, variants, enums and flags of imports have been imported under a name',
    kept: [
      component(
        type(record({ a: 'u8' })),
        imports('t', is.type(0)),
        type(list(1)),
        type(func({ x: 2 })),
        imports('f', is.func(3)),
      ),
    ],
    broken: [
      [component(type(record({ a: 'u8' })), type(func({ x: 0 })), imports('f', is.func(1))), noName],
      [
        component(
          type({ kind: 'enum', names: ['a'] }),
          imports('t', is.type(0)),
          type({ kind: 'option', some: 0 }),
          type(func({}, 2)),
          imports('f', is.func(3)),
        ),
        noName,
      ],
      [component(type(record({ a: 'u8' })), type(record({ b: 0 })), imports('t', is.type(1))), noName],
    ],
  },
  {
    rule: 'types of exports have been exported under a name, or imported',
    kept: [
      component(
        type(record({ a: 'u8' })),
        imports('t', is.type(0)),
        type(record({ b: 1 })),
        exports('u', 'type', 2),
        type(list(3)),
        exports('v', 'type', 4),
      ),
    ],
    broken: [
      [component(type(record({ a: 'u8' })), type(list(0)), exports('u', 'type', 1)), noName],
      [component(type(resource()), type(own(0)), exports('u', 'type', 1)), noName],
    ],
  },
  {
    rule: 'what an instance exports has names within the instance',
    kept: [
      component(
        type(
          instanceType(
            declare.type(record({ a: 'u8' })),
            declare.export('t', is.type(0)),
            declare.type(func({ x: 1 })),
            declare.export('f', is.func(2)),
          ),
        ),
        imports('i', is.instance(0)),
      ),
    ],
    broken: [
      [
        component(
          type(
            instanceType(
              declare.type(record({ a: 'u8' })),
              declare.type(func({ x: 0 })),
              declare.export('f', is.func(1)),
            ),
          ),
          imports('i', is.instance(0)),
        ),
        noName,
      ],
    ],
  },
  {
    rule: 'an export may be shown under a more general type, no other',
    kept: [
      component(
        type(instanceType(declare.type(func()), declare.export('f', is.func(0)))),
        imports('i', is.instance(0)),
        type(instanceType()),
        exports('e', 'instance', 0, is.instance(1)),
      ),
    ],
    broken: [
      [
        component(
          type(instanceType()),
          imports('i', is.instance(0)),
          type(instanceType(declare.type(func()), declare.export('f', is.func(0)))),
          exports('e', 'instance', 0, is.instance(1)),
        ),
        /ascribed type of export is not compatible.*missing expected export "f"/,
      ],
      [component(type(resource()), exports('r', 'type', 0, is.resource)), /resource types are not the same/],
    ],
  },
  {
    rule: 'exports are of component sorts, in bounds',
    kept: [component(nested(), exports('c', 'component', 0))],
    broken: [
      [component(exports('f', 'func', 0)), /unknown function 0/],
      [component(exports('i', 'instance', 1)), /unknown instance 1/],
      [component(exports('m', 'core module', 0)), /unknown module 0/],
      [component(exports('f', 'core func', 0)), /a core func cannot be exported/],
    ],
  },
  {
    rule: 'component types keep the same rules, and instance types import nothing',
    kept: [
      component(
        type(
          componentType(
            declare.import('r', is.resource),
            declare.type(own(0)),
            declare.type(func({ x: 1 })),
            declare.import('f', is.func(2)),
            declare.export('g', is.func(2)),
          ),
        ),
      ),
    ],
    broken: [
      [
        component(
          type(
            componentType(
              declare.export('r', is.resource),
              declare.type(own(0)),
              declare.type(func({ x: 1 })),
              declare.import('f', is.func(2)),
            ),
          ),
        ),
        noName,
      ],
      [component(type(instanceType(declare.import('f', is.resource)))), /an instance type cannot import/],
    ],
  },
]);
