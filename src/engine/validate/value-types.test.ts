import {
  borrow,
  component,
  componentType,
  exports,
  func,
  imports,
  instanceType,
  is,
  list,
  own,
  record,
  resource,
  type,
} from '../../../test/support/component-ast.ts';
import { testRules } from '../../../test/support/rules.ts';
import type { TypeAst, ValTypeAst } from '../decode/ast.ts';

const variant = (...names: string[]): TypeAst => ({
  kind: 'variant',
  cases: names.map((name) => ({ name, type: null })),
});
const flags = (...names: string[]): TypeAst => ({ kind: 'flags', names });
const enumeration = (...names: string[]): TypeAst => ({ kind: 'enum', names });
const fixed = (length: number): TypeAst => ({ kind: 'fixed-list', element: 'u8', length });
const map = (key: ValTypeAst): TypeAst => ({ kind: 'map', key, value: 'u8' });
const many = (count: number) => Array.from({ length: count }, (_, index) => `n${index}`);

testRules([
  {
    rule: 'records, variants, enums, flags and tuples have members',
    kept: [
      component(
        type(record({ a: 'u8' })),
        type(variant('a')),
        type(enumeration('a')),
        type(flags('a')),
        type({ kind: 'tuple', items: ['u8'] }),
      ),
    ],
    broken: [
      [component(type(record({}))), /record type must have at least one field/],
      [component(type(variant())), /variant type must have at least one case/],
      [component(type(enumeration())), /enum type must have at least one/],
      [component(type(flags())), /flags must have at least one/],
      [component(type({ kind: 'tuple', items: [] })), /tuple type must have at least one/],
    ],
  },
  {
    rule: 'labels are kebab case',
    kept: [component(type(record({ a: 'u8', 'is-XML': 'u8', 'a1-2-3': 'u8' })), type(func({ 'X-y': 'u8' })))],
    broken: [
      [component(type(record({ '': 'u8' }))), /record field name cannot be empty/],
      [component(type(record({ aB: 'u8' }))), /record field name "aB" is not in kebab case/],
      [component(type(variant('1a'))), /variant case name "1a" is not in kebab case/],
      [component(type(enumeration('a-'))), /enum tag name "a-" is not in kebab case/],
      [component(type(flags('a_b'))), /flag name "a_b" is not in kebab case/],
      [component(type(func({ 'a--b': 'u8' }))), /function parameter name "a--b" is not in kebab case/],
    ],
  },
  {
    rule: 'labels differ in more than case',
    kept: [component(type(variant('a', 'b', 'ab', 'a-b')))],
    broken: [
      [component(type(variant('a', 'A'))), /variant case name "A" conflicts with previous name "a"/],
      [component(type(flags('a-b', 'A-B'))), /flag name "A-B" conflicts/],
      [component(type(record({ x: 'u8', X: 'u8' }))), /record field name "X" conflicts/],
      [component(type(func({ x: 'u8', X: 'u8' }))), /function parameter name "X" conflicts/],
    ],
  },
  {
    rule: 'flags are at most 32',
    kept: [component(type(flags(...many(32))))],
    broken: [[component(type(flags(...many(33)))), /more than 32 flags/]],
  },
  {
    rule: 'fixed-length lists have a length, and values fit into 2^28 bytes',
    kept: [component(type(fixed(1)), type(fixed(2 ** 28 - 1)), type(list(1)))],
    broken: [
      [component(type(fixed(0))), /more than zero elements/],
      [component(type(fixed(2 ** 28))), /exceeds maximum byte size/],
      [
        component(type(fixed(2 ** 27)), type({ kind: 'tuple', items: [0, 0] })),
        /tuple type exceeds maximum byte size/,
      ],
      [
        component(type({ kind: 'fixed-list', element: 'string', length: 2 ** 24 })),
        /exceeds maximum byte size/,
      ],
    ],
  },
  {
    rule: 'keys of maps are integers, booleans, characters or strings',
    kept: [
      component(
        type(map('string')),
        type(map('u64')),
        type({ kind: 'primitive', type: 'char' }),
        type(map(2)),
      ),
    ],
    broken: [
      [component(type(map('f32'))), /f32 cannot be the key type of a map/],
      [component(type(list('u8')), type(map(0))), /list cannot be the key type of a map/],
    ],
  },
  {
    rule: 'streams carry no characters',
    kept: [component(type({ kind: 'stream', element: 'u8' }), type({ kind: 'future', element: 'char' }))],
    broken: [
      [component(type({ kind: 'stream', element: 'char' })), /stream<char>/],
      [
        component(type({ kind: 'primitive', type: 'char' }), type({ kind: 'stream', element: 0 })),
        /stream<char>/,
      ],
    ],
  },
  {
    rule: 'results of functions contain no borrowed handles',
    kept: [component(imports('r', is.resource), type(borrow(0)), type(own(0)), type(func({ a: 1 }, 2)))],
    broken: [
      [
        component(imports('r', is.resource), type(borrow(0)), type(func({}, 1))),
        /function result cannot contain a `borrow` type/,
      ],
      [
        component(imports('r', is.resource), type(borrow(0)), type(list(1)), type(func({}, 2))),
        /function result cannot contain a `borrow` type/,
      ],
    ],
  },
  {
    rule: 'type indices are in bounds and lead to the kind of type that is wanted',
    kept: [
      component(
        type(list('u8')),
        type(list(0)),
        type(func({ a: 1 })),
        imports('f', is.func(2)),
        type(instanceType()),
        imports('i', is.instance(3)),
        type(componentType()),
        exports('t', 'type', 0),
      ),
    ],
    broken: [
      [component(type(list(0))), /unknown type 0: type index out of bounds/],
      [component(type(list('u8')), type(own(0))), /type index 0 is not a resource type/],
      [component(type(func()), type(list(0))), /type index 0 is not a defined type/],
      [component(type(list('u8')), imports('f', is.func(0))), /type index 0 is not a function type/],
      [component(type(func()), imports('i', is.instance(0))), /type index 0 is not an instance type/],
      [component(type(func()), imports('c', is.component(0))), /type index 0 is not a component type/],
      [component(exports('t', 'type', 4)), /unknown type 4/],
    ],
  },
  {
    rule: 'resources are defined in components only, represented by i32 or i64',
    kept: [component(type(resource()), type(resource('i64')))],
    broken: [
      [component(type(resource('f32'))), /represented by `i32` or `i64`/],
      [component(type(instanceType({ kind: 'type', type: resource() }))), /within a concrete component/],
      [component(type(componentType({ kind: 'type', type: resource() }))), /within a concrete component/],
    ],
  },
  {
    rule: 'values and start definitions are refused',
    kept: [component()],
    broken: [
      [component(imports('v', { kind: 'value', type: 'u8' })), /values are not accepted/],
      [component({ kind: 'start', func: 0, args: [], results: 0 }), /start definitions are not accepted/],
      [component({ kind: 'value', type: 'u8', bytes: new Uint8Array() }), /values and start/],
      [component(exports('v', 'value', 0)), /values are not accepted/],
    ],
  },
]);
