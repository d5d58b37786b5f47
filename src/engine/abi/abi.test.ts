import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createRandom, randomType, randomValue } from '../../../test/random-values.ts';
import { WitboxError } from '../../core/errors.ts';
import type { FuncType, ValType } from '../../wit/type.ts';
import type { Value } from '../../wit/value.ts';
import type { StringEncoding } from '../decode/ast.ts';
import { Trap, toTrap } from '../trap.ts';
import type { CodecOptions } from './codec.ts';
import { type AbiContext, type CoreFunction, createContext, refresh } from './context.ts';
import { createFuncAbi } from './func.ts';
import { HandleTable } from './handle-table.ts';
import { createCodecs } from './types.ts';

const ENCODINGS: readonly StringEncoding[] = ['utf8', 'utf16', 'latin1+utf16'];

/** A guest that is nothing but a memory and an allocator, which grows the memory every now and then. */
function createGuest(is64 = false): AbiContext & { readonly allocations: number[][] } {
  const memory = is64
    ? new WebAssembly.Memory({ initial: 1n, address: 'i64' })
    : new WebAssembly.Memory({ initial: 1 });
  const allocations: number[][] = [];
  let next = 8;
  const realloc: CoreFunction = (...args) => {
    const [old, oldSize, align, size] = args.map(Number) as [number, number, number, number];
    allocations.push([old === 0 ? 0 : 1, oldSize, align, size]);
    const ptr = Math.ceil(next / align) * align;
    next = ptr + size;
    if (next > memory.buffer.byteLength) {
      const pages = Math.ceil((next - memory.buffer.byteLength) / 65536);
      memory.grow((is64 ? BigInt(pages) : pages) as number);
    }
    new Uint8Array(memory.buffer).copyWithin(ptr, old, old + Math.min(oldSize, size));
    return is64 ? BigInt(ptr) : ptr;
  };
  const owner = { handles: new HandleTable(), resources: [], mayLeave: true };
  const cx = createContext(owner, memory, realloc, is64, 2 ** 29);
  refresh(cx);
  return Object.assign(cx, { allocations });
}

const funcOf = (type: ValType): FuncType => ({ params: [{ name: 'v', type }], result: type, async: false });
const abiOf = (type: ValType, options: CodecOptions) => createFuncAbi(funcOf(type), createCodecs(options));

function alloc(cx: AbiContext, type: ValType, options: CodecOptions): number {
  const { size, align } = createCodecs(options)(type);
  const args = [0, 0, align, size].map((n) => (cx.is64 ? BigInt(n) : n));
  return Number(cx.realloc!(...args));
}

function trapOf(run: () => unknown): Trap {
  try {
    run();
  } catch (error) {
    const trap = toTrap(error);
    assert.ok(trap instanceof Trap, `expected a trap, got ${error}`);
    return trap;
  }
  return assert.fail('expected a trap');
}

describe('values survive the way through guest memory', () => {
  for (const encoding of ENCODINGS) {
    for (const is64 of [false, true]) {
      it(`as parameters and in memory, ${encoding}, ${is64 ? 64 : 32}-bit addresses`, () => {
        const options: CodecOptions = { encoding, is64, peer: 'host' };
        const random = createRandom(is64 ? 1 : 2);
        for (let i = 0; i < 300; i++) {
          const type = randomType(random, 3);
          const value = randomValue(random, type);
          const cx = createGuest(is64);
          const abi = abiOf(type, options);
          const flat = abi.lowerParams(cx, [value]);
          assert.deepEqual(abi.liftParams(cx, flat), [value], JSON.stringify(type));
          const codec = createCodecs(options)(type);
          const ptr = alloc(cx, type, options);
          refresh(cx);
          codec.store(cx, ptr, value);
          assert.deepEqual(codec.load(cx, ptr), value, JSON.stringify(type));
        }
      });
    }
  }
});

describe('values survive the way from one guest to another', () => {
  for (const from of ENCODINGS) {
    for (const to of ENCODINGS) {
      it(`from ${from} in a 32-bit memory to ${to} in a 64-bit one`, () => {
        const random = createRandom(7);
        for (let i = 0; i < 150; i++) {
          const type = randomType(random, 3);
          const value = randomValue(random, type);
          const [a, b] = [createGuest(), createGuest(true)];
          const flat = abiOf(type, { encoding: from, is64: false, peer: 'host' }).lowerParams(a, [value]);
          const passed = abiOf(type, { encoding: from, is64: false, peer: 'guest' }).liftParams(a, flat);
          const arrived = abiOf(type, { encoding: to, is64: true, peer: 'guest' }).lowerParams(b, passed);
          const seen = abiOf(type, { encoding: to, is64: true, peer: 'host' }).liftParams(b, arrived);
          assert.deepEqual(seen, [value], JSON.stringify(type));
        }
      });
    }
  }
});

describe('string allocations follow the specification', () => {
  const send = (text: string, from: StringEncoding, to: StringEncoding): number[][] => {
    const [a, b] = [createGuest(), createGuest()];
    const type: ValType = { kind: 'string' };
    const flat = abiOf(type, { encoding: from, is64: false, peer: 'host' }).lowerParams(a, [text]);
    const passed = abiOf(type, { encoding: from, is64: false, peer: 'guest' }).liftParams(a, flat);
    abiOf(type, { encoding: to, is64: false, peer: 'guest' }).lowerParams(b, passed);
    return b.allocations;
  };
  const cases: [string, StringEncoding, StringEncoding, number[][]][] = [
    ['abc', 'utf8', 'utf8', [[0, 0, 1, 3]]],
    ['abc', 'utf16', 'utf8', [[0, 0, 1, 3]]],
    [
      'abÿ',
      'utf16',
      'utf8',
      [
        [0, 0, 1, 3],
        [1, 3, 1, 9],
        [1, 9, 1, 4],
      ],
    ],
    [
      'aÿ',
      'latin1+utf16',
      'utf8',
      [
        [0, 0, 1, 2],
        [1, 2, 1, 4],
        [1, 4, 1, 3],
      ],
    ],
    ['abc', 'utf8', 'utf16', [[0, 0, 2, 6]]],
    [
      'é',
      'utf8',
      'utf16',
      [
        [0, 0, 2, 4],
        [1, 4, 2, 2],
      ],
    ],
    [
      'aé',
      'utf8',
      'latin1+utf16',
      [
        [0, 0, 2, 3],
        [1, 3, 2, 2],
      ],
    ],
    [
      'a€',
      'utf8',
      'latin1+utf16',
      [
        [0, 0, 2, 4],
        [1, 4, 2, 8],
        [1, 8, 2, 4],
      ],
    ],
    ['a€', 'latin1+utf16', 'latin1+utf16', [[0, 0, 2, 4]]],
    ['aé', 'latin1+utf16', 'latin1+utf16', [[0, 0, 2, 2]]],
  ];
  for (const [text, from, to, expected] of cases) {
    it(`"${text}" from ${from} to ${to}`, () => assert.deepEqual(send(text, from, to), expected));
  }

  it('narrows UTF-16 that was not needed', () => {
    const [a, b] = [createGuest(), createGuest()];
    a.view.setUint32(8, 0x00e90041, true);
    const either: CodecOptions = { encoding: 'latin1+utf16', is64: false, peer: 'guest' };
    const passed = abiOf({ kind: 'string' }, either).liftParams(a, [8, 0x8000_0002]);
    const [ptr, length] = abiOf({ kind: 'string' }, either).lowerParams(b, passed);
    assert.deepEqual(b.allocations, [
      [0, 0, 2, 4],
      [1, 4, 1, 2],
    ]);
    assert.equal(length, 2);
    assert.deepEqual([...b.bytes.subarray(Number(ptr), Number(ptr) + 2)], [0x41, 0xe9]);
  });
});

describe('what a guest gives is checked', () => {
  const host: CodecOptions = { encoding: 'utf8', is64: false, peer: 'host' };
  const lift = (type: ValType, flat: number[], options = host, cx: AbiContext = createGuest()): unknown =>
    abiOf(type, options).liftParams(cx, flat)[0];

  const traps: [string, ValType, number[], RegExp, CodecOptions?][] = [
    ['a string beyond memory', { kind: 'string' }, [65530, 7], /string content out-of-bounds/],
    ['a string that wraps around', { kind: 'string' }, [-1, 2], /string content out-of-bounds/],
    ['a string of 256 MiB', { kind: 'string' }, [0, 2 ** 28], /too many/],
    [
      'UTF-16 at an odd address',
      { kind: 'string' },
      [1, 1],
      /unaligned pointer/,
      { ...host, encoding: 'utf16' },
    ],
    [
      'a list beyond memory',
      { kind: 'list', element: { kind: 'u32' } },
      [65532, 2],
      /list content out-of-bounds/,
    ],
    ['a list at an odd address', { kind: 'list', element: { kind: 'u32' } }, [2, 1], /unaligned pointer/],
    ['a list of 4 G elements', { kind: 'list', element: { kind: 'u64' } }, [0, -1], /too many/],
    ['a surrogate as char', { kind: 'char' }, [0xd800], /invalid `char` bit pattern/],
    ['a char beyond Unicode', { kind: 'char' }, [0x110000], /invalid `char` bit pattern/],
    ['an unknown case', { kind: 'enum', names: ['a', 'b'] }, [2], /invalid variant discriminant/],
    ['an unknown handle', { kind: 'own', resource: { slot: 0 } }, [1], /unknown handle index 1/],
  ];
  for (const [what, type, flat, message, options] of traps) {
    it(`${what} traps`, () => assert.match(trapOf(() => lift(type, flat, options)).message, message));
  }

  it('invalid UTF-8 traps, whoever it is for', () => {
    for (const bytes of [[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xe2, 0x82], [0xf5, 0x80, 0x80, 0x80]]) {
      for (const peer of ['host', 'guest'] as const) {
        const cx = createGuest();
        cx.bytes.set(bytes, 16);
        const run = (): unknown => lift({ kind: 'string' }, [16, bytes.length], { ...host, peer }, cx);
        assert.match(trapOf(run).message, /invalid utf-8/);
      }
    }
  });

  it('unpaired surrogates trap, whoever they are for', () => {
    for (const units of [[0xd800], [0xdc00], [0xd800, 0x61], [0xdc00, 0xd800]]) {
      for (const peer of ['host', 'guest'] as const) {
        const cx = createGuest();
        for (const [i, unit] of units.entries()) cx.view.setUint16(16 + 2 * i, unit, true);
        const run = (): unknown =>
          lift({ kind: 'string' }, [16, units.length], { ...host, encoding: 'utf16', peer }, cx);
        assert.match(trapOf(run).message, /unpaired surrogate/);
      }
    }
  });

  it('an allocator that answers out of bounds or unaligned traps', () => {
    for (const [answer, message] of [
      [65536, /beyond end of memory/],
      [3, /not aligned/],
    ] as const) {
      const guest = createGuest();
      const cx = createContext(guest.owner, guest.memory, () => answer, false, 2 ** 29);
      const abi = abiOf({ kind: 'list', element: { kind: 'u32' } }, host);
      assert.match(trapOf(() => abi.lowerParams(cx, [[1]])).message, message);
    }
  });

  it('the same bytes lifted over and over trap', () => {
    const guest = createGuest();
    const cx = { ...guest, budget: 1000 };
    for (let i = 0; i < 10; i++) {
      cx.view.setUint32(16 + 8 * i, 4096, true);
      cx.view.setUint32(20 + 8 * i, 200, true);
    }
    const texts: ValType = { kind: 'list', element: { kind: 'string' } };
    assert.equal((lift(texts, [16, 3], host, cx) as string[]).length, 3);
    assert.match(trapOf(() => lift(texts, [16, 10], host, cx)).message, /more than 1000 bytes/);
  });

  it('bits that do not belong to a value are dropped', () => {
    assert.equal(lift({ kind: 'u8' }, [0x1ff]), 0xff);
    assert.equal(lift({ kind: 's8' }, [0x1ff]), -1);
    assert.equal(lift({ kind: 's16' }, [0x18000]), -0x8000);
    assert.equal(lift({ kind: 'bool' }, [2]), true);
    assert.deepEqual(lift({ kind: 'flags', names: ['a', 'b'] }, [0xff]), ['a', 'b']);
  });

  it('padding of one guest does not reach another', () => {
    const padded: ValType = {
      kind: 'list',
      element: { kind: 'tuple', items: [{ kind: 'u8' }, { kind: 'u32' }] },
    };
    const [a, b] = [createGuest(), createGuest()];
    a.bytes.fill(0xee, 16, 24);
    const guest: CodecOptions = { ...host, peer: 'guest' };
    const [ptr] = abiOf(padded, guest).lowerParams(b, abiOf(padded, guest).liftParams(a, [16, 1]));
    const at = Number(ptr);
    assert.deepEqual([...b.bytes.subarray(at, at + 8)], [0xee, 0, 0, 0, 0xee, 0xee, 0xee, 0xee]);
  });
});

describe('what the host gives is checked', () => {
  const wrong: [ValType, Value][] = [
    [{ kind: 'u8' }, 256],
    [{ kind: 'u8' }, -1],
    [{ kind: 's8' }, 1.5],
    [{ kind: 'u32' }, '1'],
    [{ kind: 'u64' }, 1],
    [{ kind: 's64' }, 2n ** 63n],
    [{ kind: 'f64' }, 1n],
    [{ kind: 'bool' }, 1],
    [{ kind: 'char' }, 'ab'],
    [{ kind: 'char' }, '\ud800'],
    [{ kind: 'string' }, 5],
    [{ kind: 'list', element: { kind: 'u8' } }, 'bytes'],
    [{ kind: 'list', element: { kind: 'u16' } }, new Uint8Array(2)],
    [{ kind: 'fixed-list', element: { kind: 'u8' }, length: 2 }, [1]],
    [{ kind: 'tuple', items: [{ kind: 'u8' }] }, [1, 2]],
    [{ kind: 'record', fields: [{ name: 'a', type: { kind: 'u8' } }] }, {}],
    [{ kind: 'record', fields: [{ name: 'constructor', type: { kind: 'string' } }] }, {}],
    [{ kind: 'enum', names: ['a'] }, 'constructor'],
    [{ kind: 'flags', names: ['a'] }, ['b']],
    [{ kind: 'variant', cases: [{ name: 'a', type: null }] }, { tag: 'toString' }],
    [{ kind: 'option', some: { kind: 'option', some: { kind: 'u8' } } }, 1],
  ];
  for (const [type, value] of wrong) {
    it(`${type.kind} is not made from ${typeof value === 'bigint' ? `${value}n` : JSON.stringify(value)}`, () => {
      const run = (): unknown =>
        abiOf(type, { encoding: 'utf8', is64: false, peer: 'host' }).lowerParams(createGuest(), [value]);
      assert.throws(run, (error) => error instanceof WitboxError && error.code === 'value-mismatch');
    });
  }

  it('lone surrogates become U+FFFD', () => {
    for (const encoding of ENCODINGS) {
      const abi = abiOf({ kind: 'string' }, { encoding, is64: false, peer: 'host' });
      const cx = createGuest();
      assert.deepEqual(abi.liftParams(cx, abi.lowerParams(cx, ['a\ud800'])), ['a\ufffd']);
    }
  });

  it('typed arrays and arrays are both taken for lists of numbers', () => {
    const abi = abiOf(
      { kind: 'list', element: { kind: 's32' } },
      { encoding: 'utf8', is64: false, peer: 'host' },
    );
    const cx = createGuest();
    for (const given of [[1, -2], Int32Array.of(1, -2)]) {
      assert.deepEqual(abi.liftParams(cx, abi.lowerParams(cx, [given])), [Int32Array.of(1, -2)]);
    }
  });
});
