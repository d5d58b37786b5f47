import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { component, module, type Part, section } from '../../../test/wasm/bytes.ts';
import { WitboxError } from '../../core/errors.ts';
import { decodeCoreModule } from './core-module.ts';

const limits = (min: bigint, max: bigint | null, is64 = false, shared = false) => ({
  min,
  max,
  is64,
  shared,
});
const one = (id: number, ...parts: readonly Part[]): Uint8Array => module(section(id, 1, ...parts));

describe('decodeCoreModule()', () => {
  it('lists imported and defined items in one index space per sort', () => {
    const bytes = module(
      section(1, 1, 0x60, 1, 0x7f, 0),
      section(
        2,
        5,
        ['m', 'f', 0, 0],
        ['m', 't', 1, 0x70, 0, 1],
        ['m', 'm', 2, 1, 1, 2],
        ['m', 'g', 3, 0x7e, 1],
        ['m', 'x', 4, 0, 0],
      ),
      section(3, 1, 0),
      section(4, 2, [0x6f, 0x05, 1, 2], [0x40, 0x00, 0x70, 0x00, 3, 0xd0, 0x70, 0x0b]),
      section(5, 1, 0x0c, 1, 0),
      section(13, 1, 0, 0),
      section(6, 1, 0x7f, 0, 0x41, 0x7f, 0x0b),
      section(7, 2, ['run', 0, 1], ['tag', 4, 1]),
      section(8, 1),
      section(10, 1, 2, 0, 0x0b),
      section(0, 'note', 9),
    );
    const ast = decodeCoreModule(bytes);
    const funcref = { nullable: true, shared: false, heap: 'func' };
    assert.deepEqual(ast.functions, [0, 0]);
    assert.deepEqual(ast.tables, [
      { kind: 'table', element: funcref, limits: limits(1n, null) },
      {
        kind: 'table',
        element: { nullable: true, shared: false, heap: 'extern' },
        limits: limits(1n, 2n, true),
      },
      { kind: 'table', element: funcref, limits: limits(3n, null) },
    ]);
    assert.deepEqual(ast.memories, [
      { kind: 'memory', limits: limits(1n, 2n), pageSizeLog2: 16 },
      { kind: 'memory', limits: limits(1n, null, true), pageSizeLog2: 0 },
    ]);
    assert.deepEqual(ast.globals, [
      { kind: 'global', type: 'i64', mutable: true },
      { kind: 'global', type: 'i32', mutable: false },
    ]);
    assert.equal(ast.tags.length, 2);
    assert.deepEqual(ast.exports, [
      { name: 'run', kind: 'func', index: 1 },
      { name: 'tag', kind: 'tag', index: 1 },
    ]);
    assert.equal(ast.start, 1);
    assert.deepEqual(
      ast.imports.map(({ module: from, name, type }) => `${from}.${name}: ${type.kind}`),
      ['m.f: func', 'm.t: table', 'm.m: memory', 'm.g: global', 'm.x: tag'],
    );
    assert.deepEqual(ast.customs, [{ name: 'note', bytes: Uint8Array.of(9) }]);
  });

  it('steps over every constant instruction', () => {
    const expressions: Part[] = [
      [0x42, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x00],
      [0x43, 0, 0, 0, 0],
      [0x44, 0, 0, 0, 0, 0, 0, 0, 0],
      [0x23, 0, 0x41, 1, 0x6a],
      [0xd2, 0],
      [0xd0, 0x80, 0x00],
      [0xfd, 0x0c, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
      [0x41, 1, 0xfb, 0x1c],
      [0xfb, 0x01, 0],
      [0xfb, 0x08, 0, 0],
    ];
    for (const expression of expressions) {
      assert.equal(decodeCoreModule(one(6, [0x7f, 0, expression, 0x0b])).globals.length, 1);
    }
    assert.throws(() => decodeCoreModule(one(6, [0x7f, 0, 0x10, 0, 0x0b])), { code: 'wasm-malformed' });
    assert.throws(() => decodeCoreModule(one(6, [0x7f, 0, 0x41, 0])), { code: 'wasm-malformed' });
  });

  it('reads limits of 64 bits, and no more', () => {
    const max = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01];
    assert.equal(decodeCoreModule(one(5, [0x05, 0, max])).memories[0]?.limits.max, 2n ** 64n - 1n);
    const over = max.with(9, 0x02);
    assert.throws(() => decodeCoreModule(one(5, [0x05, 0, over])), /integer too large/);
    assert.throws(() => decodeCoreModule(one(5, [0x05, 0, max.with(9, 0x81), 0])), /representation too long/);
  });

  it('never looks into code and data', () => {
    decodeCoreModule(module(section(10, 0xff, 0xff, 0xff), section(11, 0xff)));
  });

  it('names section and offset, counted from where the module stands in its file', () => {
    assert.throws(
      () => decodeCoreModule(one(7, ['e', 9, 0]), {}, 1000),
      (error) => {
        assert.ok(error instanceof WitboxError);
        assert.deepEqual(
          { ...error.details, reason: null },
          {
            section: 'core export section',
            offset: 1013,
            reason: null,
          },
        );
        return true;
      },
    );
  });

  it('refuses a component, sections out of order, wrong sizes, and huge counts', () => {
    assert.throws(() => decodeCoreModule(component()), {
      message: 'Expected a core module, found a component',
    });
    assert.throws(() => decodeCoreModule(module(section(3, 0), section(1, 0))), /type section out of order/);
    assert.throws(() => decodeCoreModule(module(section(1, 0), section(1, 0))), /type section out of order/);
    assert.throws(() => decodeCoreModule(module(section(14))), /core section/);
    assert.throws(() => decodeCoreModule(module(section(3, 1, 0, 0))), /1 bytes left over/);
    assert.throws(() => decodeCoreModule(module(section(5, 0xe5, 0x00))), { code: 'wasm-limit' });
    assert.throws(() => decodeCoreModule(module(section(7, 0xff, 0xff, 0x03))), /unexpected end/);
    assert.throws(() => decodeCoreModule(one(5, [0x08, 1, 17])), /invalid custom page size/);
  });
});
