// Random types of the component model and random values of them, for property tests. Everything follows from a seed,
// so that a failure can be repeated.

import type { Case, Field, ValType } from '../src/wit/type.ts';
import type { Value } from '../src/wit/value.ts';

export type Random = (below: number) => number;

export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

const SCALARS = ['bool', 's8', 'u8', 's16', 'u16', 's32', 'u32', 's64', 'u64', 'f32', 'f64', 'char'] as const;

export function randomType(random: Random, depth: number): ValType {
  if (depth === 0 || random(3) === 0) {
    return random(4) === 0 ? { kind: 'string' } : { kind: SCALARS[random(SCALARS.length)]! };
  }
  const inner = (): ValType => randomType(random, depth - 1);
  const maybe = (): ValType | null => (random(3) === 0 ? null : inner());
  switch (random(10)) {
    case 0:
      return {
        kind: 'record',
        fields: many(random, 1, 6, (i): Field => ({ name: `f-${i}`, type: inner() })),
      };
    case 1:
      return { kind: 'variant', cases: many(random, 1, 5, (i): Case => ({ name: `c-${i}`, type: maybe() })) };
    case 2:
      return { kind: 'list', element: inner() };
    case 3:
      return { kind: 'fixed-list', element: inner(), length: 1 + random(5) };
    case 4:
      return { kind: 'tuple', items: many(random, 1, 5, inner) };
    case 5:
      return { kind: 'flags', names: many(random, 1, 32, (i) => `b-${i}`) };
    case 6:
      return { kind: 'enum', names: many(random, 1, random(8) === 0 ? 300 : 8, (i) => `e-${i}`) };
    case 7:
      return { kind: 'option', some: inner() };
    case 8:
      return { kind: 'result', ok: maybe(), err: maybe() };
    default:
      return { kind: 'map', key: { kind: 'string' }, value: inner() };
  }
}

function many<T>(random: Random, min: number, max: number, make: (i: number) => T): T[] {
  return Array.from({ length: min + random(max - min + 1) }, (_, i) => make(i));
}

const CHARS = ['a', 'Z', '\0', 'ÿ', 'Ā', '€', '\ufeff', '\u{10ffff}', '😀', '\ud7ff', '\ue000'];

const TYPED = {
  u8: Uint8Array,
  s8: Int8Array,
  u16: Uint16Array,
  s16: Int16Array,
  u32: Uint32Array,
  s32: Int32Array,
  u64: BigUint64Array,
  s64: BigInt64Array,
  f32: Float32Array,
  f64: Float64Array,
} as const;

export function randomValue(random: Random, type: ValType): Value {
  switch (type.kind) {
    case 'bool':
      return random(2) === 1;
    case 's8':
    case 'u8':
    case 's16':
    case 'u16':
    case 's32':
    case 'u32':
      return randomInteger(random, Number(type.kind.slice(1)), type.kind[0] === 's');
    case 's64':
    case 'u64': {
      const bits = (BigInt(random(2 ** 32)) << 32n) | BigInt(random(2 ** 32));
      return type.kind === 's64' ? BigInt.asIntN(64, bits) : bits;
    }
    case 'f32':
      return Math.fround(
        [0.5, -1e10, Number.NaN, Number.POSITIVE_INFINITY, -0, random(1000) / 7][random(6)]!,
      );
    case 'f64':
      return [0.1, -1e300, Number.NaN, Number.NEGATIVE_INFINITY, -0, random(1000) / 7][random(6)]!;
    case 'char':
      return CHARS[random(CHARS.length)]!;
    case 'string':
      return randomString(random);
    case 'record':
      return Object.fromEntries(type.fields.map((field) => [field.name, randomValue(random, field.type)]));
    case 'variant': {
      const { name, type: payload } = type.cases[random(type.cases.length)]!;
      return payload === null ? { tag: name } : { tag: name, val: randomValue(random, payload) };
    }
    case 'result': {
      const tag = random(2) === 0 ? 'ok' : 'err';
      const payload = type[tag];
      return payload === null ? { tag } : { tag, val: randomValue(random, payload) };
    }
    case 'list': {
      const items = many(random, 0, 6, () => randomValue(random, type.element));
      const { kind } = type.element;
      return kind in TYPED ? TYPED[kind as 'u8'].from(items as number[]) : items;
    }
    case 'fixed-list':
      return Array.from({ length: type.length }, () => randomValue(random, type.element));
    case 'tuple':
      return type.items.map((item) => randomValue(random, item));
    case 'flags':
      return type.names.filter(() => random(2) === 0);
    case 'enum':
      return type.names[random(type.names.length)]!;
    case 'option': {
      if (random(3) === 0) return undefined;
      const some = randomValue(random, type.some);
      return type.some.kind === 'option' ? { some } : some;
    }
    case 'map':
      return many(random, 0, 4, (i) => [`k${i}`, randomValue(random, type.value)]);
    default:
      throw new Error(`no random values of ${type.kind}`);
  }
}

function randomInteger(random: Random, bits: number, signed: boolean): number {
  const low = signed ? -(2 ** (bits - 1)) : 0;
  return [low, low + 2 ** bits - 1, 0, low + random(2 ** bits)][random(4)]!;
}

function randomString(random: Random): string {
  const alphabet = [['a', 'b', ' '], ['a', 'é', 'ÿ'], CHARS][random(3)]!;
  return many(random, 0, 40, () => alphabet[random(alphabet.length)]!).join('');
}
