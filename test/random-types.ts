// Random component types, and random values of a type, from a seed: the same seed gives the same types and values on
// every machine, so a failing property test can be run again. Values have the one form that src/wit/value.ts names
// (list<u8> is a Uint8Array, records carry every field, flags stand in the order of declaration, map keys are unique).
// Handles, streams, futures and error contexts are left out: they have no value outside an instance.

import type { FuncType, PrimitiveKind, ValType } from '../src/wit/type.ts';
import type { Value } from '../src/wit/value.ts';

/** A stream of random numbers; small (mulberry32), not for secrets. */
export interface Random {
  /** An integer, 0 ≤ n < limit. */
  below(limit: number): number;
  chance(probability: number): boolean;
  pick<T>(items: readonly T[]): T;
}

export interface TypeOptions {
  /** How many levels of types in types; 0 gives a primitive. Default 4. */
  readonly depth?: number;
  /** The most fields, cases, names or items of one type. Default 5. */
  readonly width?: number;
  /** Kinds never to make, such as `map` or `fixed-list`, which not every toolchain knows. */
  readonly without?: readonly ValType['kind'][];
}

export interface ValueOptions {
  /** The most elements of one list or map, and characters of one string. Default 4. */
  readonly length?: number;
}

export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  return {
    below: (limit) => Math.floor(next() * limit),
    chance: (probability) => next() < probability,
    pick: (items) => items[Math.floor(next() * items.length)]!,
  };
}

const KEYS: readonly PrimitiveKind[] = [
  'bool',
  's8',
  'u8',
  's16',
  'u16',
  's32',
  'u32',
  's64',
  'u64',
  'char',
  'string',
];
const PRIMITIVES: readonly PrimitiveKind[] = [...KEYS, 'f32', 'f64'];
const NESTED = [
  'record',
  'variant',
  'list',
  'fixed-list',
  'tuple',
  'flags',
  'enum',
  'option',
  'result',
  'map',
] as const;

export function randomType(random: Random, options: TypeOptions = {}): ValType {
  const { depth = 4, width = 5, without = [] } = options;
  if (depth <= 0 || random.chance(0.25)) return { kind: random.pick(except(PRIMITIVES, without)) };
  const inner = (): ValType => randomType(random, { ...options, depth: depth - 1 });
  const maybe = (): ValType | null => (random.chance(0.7) ? inner() : null);
  const names = (limit = width): string[] => randomLabels(random, 1 + random.below(limit));
  const kind = random.pick(except(NESTED, without));
  switch (kind) {
    case 'record':
      return { kind, fields: names().map((name) => ({ name, type: inner() })) };
    case 'variant':
      return { kind, cases: names().map((name) => ({ name, type: maybe() })) };
    case 'list':
      return { kind, element: inner() };
    case 'fixed-list':
      return { kind, element: inner(), length: 1 + random.below(width) };
    case 'tuple':
      return { kind, items: Array.from({ length: 1 + random.below(width) }, inner) };
    case 'flags':
      // The specification allows 32 names at most: one machine word of bits.
      return { kind, names: names(random.chance(0.1) ? 32 : width) };
    case 'enum':
      // More than 256 names need a wider discriminant, so make that now and then.
      return { kind, names: names(random.chance(0.05) ? 300 : width) };
    case 'option':
      return { kind, some: inner() };
    case 'result':
      return { kind, ok: maybe(), err: maybe() };
    case 'map':
      return { kind, key: { kind: random.pick(except(KEYS, without)) }, value: inner() };
  }
}

export function randomFuncType(random: Random, options: TypeOptions = {}): FuncType {
  return {
    params: randomLabels(random, random.below((options.width ?? 5) + 1)).map((name) => ({
      name,
      type: randomType(random, options),
    })),
    result: random.chance(0.85) ? randomType(random, options) : null,
    async: false,
  };
}

const INTEGERS = {
  s8: [-128, 127],
  u8: [0, 255],
  s16: [-32768, 32767],
  u16: [0, 65535],
  s32: [-2147483648, 2147483647],
  u32: [0, 4294967295],
} as const;

export function randomValue(random: Random, type: ValType, options: ValueOptions = {}): Value {
  const { length = 4 } = options;
  const count = (): number => random.below(length + 1);
  const value = (inner: ValType): Value => randomValue(random, inner, options);
  switch (type.kind) {
    case 'bool':
      return random.chance(0.5);
    case 's8':
    case 'u8':
    case 's16':
    case 'u16':
    case 's32':
    case 'u32': {
      const [low, high] = INTEGERS[type.kind];
      return random.chance(0.2) ? random.pick([low, high, 0]) : low + random.below(high - low + 1);
    }
    case 's64':
      return BigInt.asIntN(64, random64(random));
    case 'u64':
      return BigInt.asUintN(64, random64(random));
    case 'f32':
      return Math.fround(randomFloat(random, 3.4028234663852886e38));
    case 'f64':
      return randomFloat(random, Number.MAX_VALUE);
    case 'char':
      return randomChar(random);
    case 'string':
      return Array.from({ length: count() }, () => randomChar(random)).join('');
    case 'list':
      if (type.element.kind === 'u8') return Uint8Array.from({ length: count() }, () => random.below(256));
      return Array.from({ length: count() }, () => value(type.element));
    case 'fixed-list':
      return Array.from({ length: type.length }, () => value(type.element));
    case 'tuple':
      return type.items.map(value);
    case 'record':
      return Object.fromEntries(type.fields.map((field) => [field.name, value(field.type)]));
    case 'variant': {
      const { name, type: payload } = random.pick(type.cases);
      return payload === null ? { tag: name } : { tag: name, val: value(payload) };
    }
    case 'flags':
      return type.names.filter(() => random.chance(0.5));
    case 'enum':
      return random.pick(type.names);
    case 'option': {
      if (random.chance(0.35)) return undefined;
      const some = value(type.some);
      return type.some.kind === 'option' ? { some } : some;
    }
    case 'result': {
      const tag = random.pick(['ok', 'err'] as const);
      const payload = type[tag];
      return payload === null ? { tag } : { tag, val: value(payload) };
    }
    case 'map': {
      const pairs = new Map<Value, Value>();
      for (let n = count(); n > 0; n--) pairs.set(value(type.key), value(type.value));
      return [...pairs];
    }
    default:
      throw new Error(`No random value of type ${type.kind}`);
  }
}

/** Bits of every magnitude, with the edges of 64, 53 and 32 bits more often than chance would give them. */
function random64(random: Random): bigint {
  if (random.chance(0.2)) {
    const edge = 1n << BigInt(random.pick([0, 31, 32, 52, 53, 54, 62, 63, 64]));
    return random.pick([edge, edge - 1n, edge + 1n, -edge, 1n - edge]);
  }
  const bits = (BigInt(random.below(0x1_0000_0000)) << 32n) | BigInt(random.below(0x1_0000_0000));
  return bits >> BigInt(random.below(64));
}

function randomFloat(random: Random, max: number): number {
  const edges = [0, -0, 1, -1, 0.1, NaN, Infinity, -Infinity, max, -max, 5e-324, 2 ** 53, 16777217];
  if (random.chance(0.3)) return random.pick(edges);
  const fraction = random.below(2 ** 32) / 2 ** 31 - 1;
  return fraction * 10 ** (random.below(60) - 30);
}

/** A Unicode scalar value of every encoded length, never a surrogate. */
function randomChar(random: Random): string {
  const code = random.pick([
    () => 0x20 + random.below(0x5f),
    () => random.below(0x80),
    () => 0x80 + random.below(0x80),
    () => 0x100 + random.below(0x700),
    () => 0x800 + random.below(0xd000),
    () => 0xe000 + random.below(0x2000),
    () => 0x10000 + random.below(0x100000),
  ])();
  return String.fromCodePoint(code);
}

const WORDS = ['a', 'b', 'id', 'name', 'x9', 'URL', 'to', 'value', 'z-2', 'constructor', 'list', 'record'];

/** Labels that differ, ignoring case, as the specification asks; keywords and names of Object.prototype among them. */
function randomLabels(random: Random, count: number): string[] {
  const labels = new Map<string, string>();
  while (labels.size < count) {
    let label = random.pick(WORDS);
    if (random.chance(0.3)) label += `-${random.pick(WORDS)}`;
    if (labels.has(label.toLowerCase())) label += `-${labels.size}`;
    labels.set(label.toLowerCase(), label);
  }
  return [...labels.values()];
}

function except<T extends string>(kinds: readonly T[], without: readonly string[]): readonly T[] {
  return without.length === 0 ? kinds : kinds.filter((kind) => !without.includes(kind));
}
