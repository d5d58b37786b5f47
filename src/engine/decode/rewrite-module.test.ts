import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { flat, module, section } from '../../../test/wasm/bytes.ts';
import { decodeCoreModule } from './core-module.ts';
import { rewriteModule } from './rewrite-module.ts';

const PAGE = 65536;
const caps = { memoryBytes: 4 * PAGE, tableElements: 10 };
const BEFORE = section(0, 'before', 1, 2, 3);
const AFTER = section(0, 'after', 4, 5, 6);

function memoryOf(bytes: Uint8Array): WebAssembly.Memory {
  return new WebAssembly.Instance(new WebAssembly.Module(bytes)).exports.m as WebAssembly.Memory;
}

describe('rewriteModule()', () => {
  it('gives back the very bytes when nothing has to change', () => {
    const bytes = module(section(4, 1, 0x70, 1, 1, 10), section(5, 1, 1, 1, 4));
    assert.equal(rewriteModule(bytes, caps).bytes, bytes);
    assert.equal(rewriteModule(module(), caps).start, null);
  });

  it('caps a memory without maximum, so that growing beyond fails in V8', () => {
    const bytes = module(section(5, 1, 0, 1), section(7, 1, 'm', 2, 0));
    assert.equal(memoryOf(bytes).grow(10), 1);
    const memory = memoryOf(rewriteModule(bytes, caps).bytes);
    assert.equal(memory.grow(3), 1);
    assert.throws(() => memory.grow(1), RangeError);
  });

  it('lowers a maximum above the cap and keeps one below', () => {
    const maxOf = (...limits: number[]): bigint | null | undefined =>
      decodeCoreModule(rewriteModule(module(section(5, 1, ...limits)), caps).bytes).memories[0]?.limits.max;
    assert.equal(maxOf(1, 1, 0x80, 0x80, 0x04), 4n);
    assert.equal(maxOf(1, 1, 3), 3n);
    assert.equal(maxOf(3, 1, 9), 4n);
    assert.equal(maxOf(4, 1), 4n);
    assert.equal(maxOf(0x08, 5, 0), BigInt(4 * PAGE));
    assert.equal(maxOf(0x08, 5, 0x8c, 0x80, 0x00), 64n);
  });

  it('leaves alone what can never reach the cap', () => {
    const huge = { memoryBytes: 2 ** 40, tableElements: 2 ** 40 };
    const bytes = module(section(4, 1, 0x70, 0, 1), section(5, 3, [0, 1], [4, 1], [8, 1, 0]));
    assert.equal(rewriteModule(bytes, huge).bytes, bytes);
  });

  it('lets several memories share the cap', () => {
    const { bytes } = rewriteModule(module(section(5, 2, [0, 1], [0, 0])), caps);
    assert.deepEqual(
      decodeCoreModule(bytes).memories.map((memory) => memory.limits.max),
      [2n, 1n],
    );
  });

  it('caps tables, with and without initial values', () => {
    const tables = section(4, 2, [0x70, 0x00, 2], [0x40, 0x00, 0x70, 0x00, 4, 0xd0, 0x70, 0x0b]);
    const { bytes } = rewriteModule(module(BEFORE, tables, AFTER), caps);
    assert.deepEqual(
      bytes,
      module(
        BEFORE,
        section(4, 2, [0x70, 0x01, 2, 4], [0x40, 0x00, 0x70, 0x01, 4, 6, 0xd0, 0x70, 0x0b]),
        AFTER,
      ),
    );
    assert.ok(WebAssembly.validate(bytes));
  });

  it('refuses a module that needs more than the cap to start with', () => {
    assert.throws(() => rewriteModule(module(section(5, 1, 0, 5)), caps), {
      code: 'guest-over-limit',
      message: 'Module asks for 327680 bytes of memory to start with, the limit is 262144',
    });
    assert.throws(() => rewriteModule(module(section(5, 2, [0, 3], [0, 2])), caps), {
      code: 'guest-over-limit',
    });
    assert.throws(() => rewriteModule(module(section(4, 1, 0x70, 0, 11)), caps), {
      message: 'Module asks for 11 table elements to start with, the limit is 10',
    });
  });

  it('leaves every byte outside the touched sections as it was', () => {
    const long = section(0, 'long', ...Array.from({ length: 300 }, (_, i) => i & 0xff));
    const padded = [5, 0x83, 0x80, 0x00, 1, 0, 1];
    const { bytes } = rewriteModule(module(BEFORE, padded, long, AFTER), caps);
    assert.deepEqual(bytes, module(BEFORE, section(5, 1, 1, 1, 4), long, AFTER));
  });

  describe('with exportStart', () => {
    const types = section(1, 1, 0x60, 0, 0);
    const body = [section(1, 1, 0x60, 0, 0), section(3, 1, 0), section(6, 1, 0x7f, 1, 0x41, 0, 0x0b)];
    const code = section(10, 1, 6, 0, 0x41, 7, 0x24, 0, 0x0b);
    const run = (bytes: Uint8Array): WebAssembly.Exports =>
      new WebAssembly.Instance(new WebAssembly.Module(bytes)).exports;
    const value = (exports: WebAssembly.Exports): number => (exports.g as WebAssembly.Global).value;

    it('adds the start function to the exports instead of running it', () => {
      const bytes = module(body, section(7, 2, ['g', 3, 0], ['start', 0, 0]), section(8, 0), code);
      assert.equal(value(run(bytes)), 7);
      const rewritten = rewriteModule(bytes, { ...caps, exportStart: true });
      assert.equal(rewritten.start, 'start-1');
      const exports = run(rewritten.bytes);
      assert.equal(value(exports), 0);
      (exports['start-1'] as () => void)();
      assert.equal(value(exports), 7);
    });

    it('makes an export section where there is none', () => {
      const bytes = module(body, section(8, 0), AFTER, code);
      const rewritten = rewriteModule(bytes, { ...caps, exportStart: true });
      assert.equal(rewritten.start, 'start');
      assert.deepEqual(rewritten.bytes, module(body, section(7, 1, flat('start', 0, 0)), AFTER, code));
      assert.deepEqual(Object.keys(run(rewritten.bytes)), ['start']);
    });

    it('keeps the start section unless asked', () => {
      const bytes = module(types, section(3, 1, 0), section(8, 0), section(10, 1, 2, 0, 0x0b));
      assert.deepEqual(rewriteModule(bytes, caps), { bytes, start: null });
    });
  });
});
