import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { component, module, type Part, section } from '../../../test/wasm/bytes.ts';
import { decodeComponent } from './component.ts';

const CORE_MODULE = 1;
const CORE_INSTANCE = 2;
const CORE_TYPE = 3;
const COMPONENT = 4;
const INSTANCE = 5;
const ALIAS = 6;
const TYPE = 7;
const CANON = 8;
const IMPORT = 10;
const EXPORT = 11;

/** The definitions of a component whose one section holds `items`, without their offsets. */
function read(id: number, ...items: readonly Part[]): unknown[] {
  return decodeComponent(component(section(id, items.length, ...items))).definitions.map(
    ({ at, ...rest }) => {
      assert.ok(at >= 10);
      return rest;
    },
  );
}

const one = (id: number, ...parts: readonly Part[]): Uint8Array => component(section(id, 1, ...parts));

describe('decodeComponent() reads', () => {
  it('an empty component', () => {
    assert.deepEqual(decodeComponent(component()), { definitions: [], customs: [], start: 0, end: 8 });
  });

  const typeCases: [string, Part, unknown][] = [
    ['a primitive', [0x7f], { kind: 'primitive', type: 'bool' }],
    ['error-context', [0x64], { kind: 'primitive', type: 'error-context' }],
    ['a record', [0x72, 1, 'a', 0x7d], { kind: 'record', fields: [{ name: 'a', type: 'u8' }] }],
    [
      'a variant',
      [0x71, 2, 'x', 1, 0x7e, 0, 'y', 0, 0],
      {
        kind: 'variant',
        cases: [
          { name: 'x', type: 's8' },
          { name: 'y', type: null },
        ],
      },
    ],
    ['a list', [0x70, 0x73], { kind: 'list', element: 'string' }],
    ['a list of a defined type', [0x70, 0x85, 0x01], { kind: 'list', element: 133 }],
    ['a fixed-length list', [0x67, 0x7d, 3], { kind: 'fixed-list', element: 'u8', length: 3 }],
    ['a tuple', [0x6f, 2, 0x7c, 0x00], { kind: 'tuple', items: ['s16', 0] }],
    ['flags', [0x6e, 1, 'f'], { kind: 'flags', names: ['f'] }],
    ['an enum', [0x6d, 1, 'e'], { kind: 'enum', names: ['e'] }],
    ['an option', [0x6b, 0x7a], { kind: 'option', some: 's32' }],
    ['a result', [0x6a, 0, 1, 0x78], { kind: 'result', ok: null, err: 's64' }],
    ['an owned handle', [0x69, 4], { kind: 'own', resource: 4 }],
    ['a borrowed handle', [0x68, 4], { kind: 'borrow', resource: 4 }],
    ['a stream', [0x66, 0], { kind: 'stream', element: null }],
    ['a future', [0x65, 1, 0x74], { kind: 'future', element: 'char' }],
    ['a map', [0x63, 0x73, 0x79], { kind: 'map', key: 'string', value: 'u32' }],
    ['a resource', [0x3f, 0x7f, 1, 5], { kind: 'resource', rep: 'i32', dtor: 5 }],
    [
      'a function',
      [0x40, 1, 'p', 0x7f, 0, 0x79],
      { kind: 'func', params: [{ name: 'p', type: 'bool' }], result: 'u32', async: false },
    ],
    ['an async function', [0x43, 0, 1, 0], { kind: 'func', params: [], result: null, async: true }],
  ];
  for (const [what, bytes, expected] of typeCases) {
    it(what, () => assert.deepEqual(read(TYPE, bytes), [{ kind: 'type', type: expected }]));
  }

  it('component and instance types with their declarators', () => {
    const [definition] = decodeComponent(
      one(TYPE, [0x41, 2, 0x03, 0, 'a', 0x03, 1, 0x01, 0x42, 1, 0x04, 0, 'b', 0x05, 0]),
    ).definitions;
    assert.deepEqual(definition, {
      at: 11,
      kind: 'type',
      type: {
        kind: 'component',
        decls: [
          { at: 13, kind: 'import', name: { name: 'a' }, type: { kind: 'type sub resource' } },
          {
            at: 19,
            kind: 'type',
            type: {
              kind: 'instance',
              decls: [{ at: 22, kind: 'export', name: { name: 'b' }, type: { kind: 'instance', type: 0 } }],
            },
          },
        ],
      },
    });
  });

  it('core function, GC and module types', () => {
    const read3 = read(
      CORE_TYPE,
      [0x60, 1, 0x7f, 1, 0x7e],
      [0x00, 0x50, 0, 0x5f, 1, 0x78, 1],
      [0x4e, 1, 0x4f, 1, 1, 0x5e, 0x63, 0x00, 0],
      [0x50, 3, 0x01, 0x60, 0, 0, 0x02, 0x10, 0x01, 1, 0, 0x03, 'e', 0x02, 0x05, 1, 2],
    );
    assert.deepEqual(
      read3.map((definition) => (definition as { type: unknown }).type),
      [
        {
          kind: 'rec',
          types: [
            {
              final: true,
              supers: [],
              shared: false,
              type: { kind: 'func', params: ['i32'], results: ['i64'] },
            },
          ],
        },
        {
          kind: 'rec',
          types: [
            {
              final: false,
              supers: [],
              shared: false,
              type: { kind: 'struct', fields: [{ type: 'i8', mutable: true }] },
            },
          ],
        },
        {
          kind: 'rec',
          types: [
            {
              final: true,
              supers: [1],
              shared: false,
              type: {
                kind: 'array',
                field: { type: { nullable: true, shared: false, heap: 0 }, mutable: false },
              },
            },
          ],
        },
        {
          kind: 'module',
          decls: [
            {
              kind: 'type',
              type: {
                kind: 'rec',
                types: [
                  { final: true, supers: [], shared: false, type: { kind: 'func', params: [], results: [] } },
                ],
              },
            },
            { kind: 'outer alias', count: 1, index: 0 },
            {
              kind: 'export',
              name: 'e',
              type: {
                kind: 'memory',
                limits: { min: 1n, max: 2n, is64: true, shared: false },
                pageSizeLog2: 16,
              },
            },
          ],
        },
      ],
    );
  });

  it('core modules as views of the bytes given, with the offset where they start', () => {
    const bytes = component(section(CORE_MODULE, module()));
    const [definition] = decodeComponent(bytes).definitions;
    assert.ok(definition?.kind === 'core module');
    assert.equal(definition.at, 10);
    assert.equal(definition.bytes.buffer, bytes.buffer);
    assert.deepEqual(definition.bytes, module());
  });

  it('components within components, with their place in the file', () => {
    const inner = component(section(TYPE, 1, 0x73));
    const [definition] = decodeComponent(component(section(COMPONENT, inner))).definitions;
    assert.ok(definition?.kind === 'component');
    assert.deepEqual(definition.component, {
      definitions: [{ at: 21, kind: 'type', type: { kind: 'primitive', type: 'string' } }],
      customs: [],
      start: 10,
      end: 22,
    });
  });

  it('instances and core instances', () => {
    assert.deepEqual(read(CORE_INSTANCE, [0x00, 2, 1, 'm', 0x12, 3], [0x01, 1, 'f', 0x00, 4]), [
      { kind: 'core instance', expr: { kind: 'instantiate', module: 2, args: [{ name: 'm', instance: 3 }] } },
      { kind: 'core instance', expr: { kind: 'exports', exports: [{ name: 'f', sort: 'func', index: 4 }] } },
    ]);
    assert.deepEqual(read(INSTANCE, [0x00, 2, 1, 'm', 0x00, 0x11, 3], [0x01, 1, 0, 'f', 0x01, 4]), [
      {
        kind: 'instance',
        expr: {
          kind: 'instantiate',
          component: 2,
          args: [{ name: 'm', item: { sort: 'core module', index: 3 } }],
        },
      },
      {
        kind: 'instance',
        expr: { kind: 'exports', exports: [{ name: { name: 'f' }, item: { sort: 'func', index: 4 } }] },
      },
    ]);
  });

  it('the three kinds of alias', () => {
    assert.deepEqual(read(ALIAS, [0x03, 0x00, 1, 't'], [0x00, 0x04, 0x01, 2, 'tag'], [0x04, 0x02, 3, 4]), [
      { kind: 'alias', alias: { kind: 'export', sort: 'type', instance: 1, name: 't' } },
      { kind: 'alias', alias: { kind: 'core export', sort: 'tag', instance: 2, name: 'tag' } },
      { kind: 'alias', alias: { kind: 'outer', sort: 'component', count: 3, index: 4 } },
    ]);
  });

  it('imports with attributes and exports with ascribed types', () => {
    assert.deepEqual(
      read(IMPORT, [0x02, 'i', 3, 0, 'a:b/c', 1, '.1', 2, 'id', 0x05, 0], [0x01, 'v', 0x02, 1, 0x7f]),
      [
        {
          kind: 'import',
          name: { name: 'i', implements: 'a:b/c', versionSuffix: '.1', externalId: 'id' },
          type: { kind: 'instance', type: 0 },
        },
        { kind: 'import', name: { name: 'v' }, type: { kind: 'value', type: 'bool' } },
      ],
    );
    assert.deepEqual(read(EXPORT, [0x00, 'e', 0x03, 1, 0x01, 0x03, 0x00, 9], [0x00, 'f', 0x01, 0, 0x00]), [
      {
        kind: 'export',
        name: { name: 'e' },
        item: { sort: 'type', index: 1 },
        type: { kind: 'type eq', type: 9 },
      },
      { kind: 'export', name: { name: 'f' }, item: { sort: 'func', index: 0 }, type: null },
    ]);
  });

  it('canonical functions with their options', () => {
    const none = {
      encoding: null,
      memory: null,
      realloc: null,
      postReturn: null,
      async: false,
      callback: null,
      gc: false,
      coreType: null,
    };
    assert.deepEqual(
      read(
        CANON,
        [0x00, 0x00, 1, 4, 0x02, 0x03, 5, 0x04, 6, 0x05, 7, 8],
        [0x01, 0x00, 1, 0],
        [0x03, 9],
        [0x09, 0, 0x79, 1, 0x06],
        [0x20, 1, 2],
        [0x0b, 0x7f, 1],
      ).map((definition) => (definition as { canon: unknown }).canon),
      [
        {
          kind: 'lift',
          func: 1,
          options: { ...none, encoding: 'latin1+utf16', memory: 5, realloc: 6, postReturn: 7 },
          type: 8,
        },
        { kind: 'lower', func: 1, options: none },
        { kind: 'resource.drop', type: 9, async: false },
        {
          kind: 'builtin',
          name: 'task.return',
          type: null,
          result: 'u32',
          options: { ...none, async: true },
          immediates: [],
        },
        {
          kind: 'builtin',
          name: 'waitable-set.wait',
          type: null,
          result: null,
          options: null,
          immediates: [true, 2],
        },
        {
          kind: 'builtin',
          name: 'context.set',
          type: null,
          result: null,
          options: null,
          immediates: ['i32', 1],
        },
      ],
    );
  });

  it('start and value definitions', () => {
    const bytes = component(section(12, 1, [0x79, 2, 0x80, 0x01]), section(9, 3, [1, 0], 0));
    assert.deepEqual(decodeComponent(bytes).definitions, [
      { at: 11, kind: 'value', type: 'u32', bytes: Uint8Array.of(0x80, 0x01) },
      { at: 17, kind: 'start', func: 3, args: [0], results: 0 },
    ]);
  });

  it('aliases and core types within instance types', () => {
    const [definition] = read(TYPE, [0x42, 2, 0x00, 0x60, 0, 0, 0x02, 0x03, 0x02, 1, 0]) as [
      { type: { decls: { kind: string }[] } },
    ];
    assert.deepEqual(
      definition.type.decls.map((decl) => decl.kind),
      ['core type', 'alias'],
    );
  });

  it('shared and continuation types of later proposals, so that errors can name them', () => {
    const [func, cont] = read(CORE_TYPE, [0x65, 0x60, 1, 0x63, 0x65, 0x6e, 0], [0x5d, 0]) as {
      type: { types: { shared: boolean; type: unknown }[] };
    }[];
    assert.equal(func?.type.types[0]?.shared, true);
    assert.deepEqual(func?.type.types[0]?.type, {
      kind: 'func',
      params: [{ nullable: true, shared: true, heap: 'any' }],
      results: [],
    });
    assert.deepEqual(cont?.type.types[0]?.type, { kind: 'cont', type: 0 });
  });

  it('custom sections wherever they stand', () => {
    const { customs } = decodeComponent(component(section(0, 'a', 1, 2), section(TYPE, 0), section(0, 'a')));
    assert.deepEqual(customs, [
      { name: 'a', bytes: Uint8Array.of(1, 2) },
      { name: 'a', bytes: Uint8Array.of() },
    ]);
  });

  it('numbers padded with zeros up to five bytes', () => {
    assert.deepEqual(decodeComponent(component(TYPE, 0x81, 0x80, 0x80, 0x80, 0x00, 0)).definitions, []);
  });
});
