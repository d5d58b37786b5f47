// Codecs of variants and everything that is one underneath (enum, option, result), and of flags. A discriminant out
// of range traps. Passed flat, all cases share the same core arguments, each as wide as the widest case needs.

import type { Case, ValType } from '../../wit/type.ts';
import type { Value } from '../../wit/value.ts';
import { raise } from '../trap.ts';
import { alignTo, type Codec, type FlatType, MAX_FLAT_PARAMS, mismatch } from './codec.ts';
import type { AbiContext, FlatValue } from './context.ts';

/** How a JavaScript value says which case it is, and what it carries. */
interface Form {
  make(index: number, payload: Value): Value;
  index(value: Value): number;
  payload(value: Value): Value;
}

export function createVariantCodec(parts: readonly (Codec | null)[], form: Form): Codec {
  const disc = discriminantSize(parts.length);
  let payloadSize = 0;
  let payloadAlign = 1;
  for (const part of parts) {
    if (part === null) continue;
    payloadSize = Math.max(payloadSize, part.size);
    payloadAlign = Math.max(payloadAlign, part.align);
  }
  const align = Math.max(disc, payloadAlign);
  const offset = alignTo(disc, payloadAlign);
  const joined = join(parts);
  const casts = parts.map((part) => (joined === null || part === null ? null : castsOf(part, joined)));
  const zeros: readonly FlatValue[] = (joined ?? []).map((type) => (type === 'i64' ? 0n : 0));

  function check(index: number): number {
    if (index >= parts.length) raise('abi', `invalid variant discriminant ${index}`);
    return index;
  }

  return {
    size: alignTo(offset + payloadSize, align),
    align,
    flat: joined === null ? null : ['i32', ...joined],
    plain: false,
    borrows: parts.some((part) => part?.borrows),
    load(cx, ptr) {
      const index = check(loadUint(cx, ptr, disc));
      return form.make(index, parts[index]?.load(cx, ptr + offset));
    },
    store(cx, ptr, value) {
      const index = form.index(value);
      storeUint(cx, ptr, disc, index);
      const part = parts[index];
      if (part) part.store(cx, ptr + offset, form.payload(value));
    },
    lift(cx, flat, at) {
      const index = check((flat[at] as number) >>> 0);
      const part = parts[index];
      if (!part) return form.make(index, undefined);
      const cast = casts[index];
      if (!cast) return form.make(index, part.lift(cx, flat, at + 1));
      const own = cast.map(({ narrow }, i) => narrow(flat[at + 1 + i] as FlatValue));
      return form.make(index, part.lift(cx, own, 0));
    },
    lower(cx, value, flat) {
      const index = form.index(value);
      const start = flat.push(index);
      const part = parts[index];
      if (part) {
        part.lower(cx, form.payload(value), flat);
        const cast = casts[index];
        if (cast) for (let i = start; i < flat.length; i++) flat[i] = cast[i - start]!.widen(flat[i]!);
      }
      for (let i = flat.length - start; i < zeros.length; i++) flat.push(zeros[i]!);
    },
  };
}

const discriminantSize = (cases: number): number => (cases <= 0x100 ? 1 : cases <= 0x10000 ? 2 : 4);

function join(parts: readonly (Codec | null)[]): FlatType[] | null {
  const joined: FlatType[] = [];
  for (const part of parts) {
    if (part === null) continue;
    if (part.flat === null || part.flat.length >= MAX_FLAT_PARAMS) return null;
    part.flat.forEach((type, i) => {
      const other = joined[i];
      if (other === undefined) joined.push(type);
      else if (other !== type) joined[i] = /32/.test(other) && /32/.test(type) ? 'i32' : 'i64';
    });
  }
  return joined;
}

interface Cast {
  /** From the shared argument to the case's own type. */
  narrow(value: FlatValue): FlatValue;
  widen(value: FlatValue): FlatValue;
}

const bits = new DataView(new ArrayBuffer(8));

const SAME: Cast = { narrow: (value) => value, widen: (value) => value };
const CASTS: Readonly<Record<string, Cast>> = {
  'f32 i32': {
    narrow: (value) => floatOf(value as number),
    widen: (value) => bitsOf(value as number),
  },
  'i32 i64': {
    narrow: (value) => Number(BigInt.asIntN(32, value as bigint)),
    widen: (value) => BigInt((value as number) >>> 0),
  },
  'f32 i64': {
    narrow: (value) => floatOf(Number(BigInt.asIntN(32, value as bigint))),
    widen: (value) => BigInt(bitsOf(value as number)),
  },
  'f64 i64': {
    narrow(value) {
      bits.setBigInt64(0, value as bigint);
      return bits.getFloat64(0);
    },
    widen(value) {
      bits.setFloat64(0, value as number);
      return bits.getBigUint64(0);
    },
  },
};

function floatOf(int: number): number {
  bits.setInt32(0, int);
  return bits.getFloat32(0);
}

function bitsOf(float: number): number {
  bits.setFloat32(0, float);
  return bits.getUint32(0);
}

/** How a case's own core values become the shared ones and back; null if they are the same already. */
function castsOf(part: Codec, joined: readonly FlatType[]): Cast[] | null {
  const own = part.flat ?? [];
  if (own.every((type, i) => type === joined[i])) return null;
  return own.map((type, i) => CASTS[`${type} ${joined[i]}`] ?? SAME);
}

function loadUint(cx: AbiContext, ptr: number, size: number): number {
  if (size === 1) return cx.view.getUint8(ptr);
  return size === 2 ? cx.view.getUint16(ptr, true) : cx.view.getUint32(ptr, true);
}

function storeUint(cx: AbiContext, ptr: number, size: number, value: number): void {
  if (size === 1) cx.view.setUint8(ptr, value);
  else if (size === 2) cx.view.setUint16(ptr, value, true);
  else cx.view.setUint32(ptr, value, true);
}

// ---- the forms ----

type Tagged = { readonly tag: string; readonly val?: Value };

/** Variants and results: `{ tag }` or `{ tag, val }`. */
export function taggedForm(what: string, cases: readonly Case[]): Form {
  const indices = new Map(cases.map(({ name }, i) => [name, i]));
  return {
    make(index, payload) {
      const { name, type } = cases[index]!;
      return type === null ? { tag: name } : { tag: name, val: payload };
    },
    index(value) {
      const tag = typeof value === 'object' && value !== null && 'tag' in value ? value.tag : undefined;
      const index = typeof tag === 'string' ? indices.get(tag) : undefined;
      return index ?? mismatch(what, value, `a tag out of ${listed(indices.keys())}`);
    },
    payload: (value) => (value as Tagged).val,
  };
}

export function enumForm(names: readonly string[]): Form {
  const indices = new Map(names.map((name, i) => [name, i]));
  return {
    make: (index) => names[index],
    index: (value) =>
      indices.get(value as string) ?? mismatch('enum', value, `one of ${listed(indices.keys())}`),
    payload: () => undefined,
  };
}

/** An option inside an option is wrapped, since `undefined` could not tell which of the two is absent. */
export function optionForm(some: ValType): Form {
  if (some.kind !== 'option') {
    return {
      make: (index, payload) => (index === 0 ? undefined : payload),
      index: (value) => (value === undefined ? 0 : 1),
      payload: (value) => value,
    };
  }
  return {
    make: (index, payload) => (index === 0 ? undefined : { some: payload }),
    index(value) {
      if (value === undefined) return 0;
      if (typeof value === 'object' && value !== null && 'some' in value) return 1;
      return mismatch('option', value, 'undefined or { some }');
    },
    payload: (value) => (value as { some: Value }).some,
  };
}

const listed = (names: Iterable<string>): string => [...names].slice(0, 10).join(', ');

export function createFlagsCodec(names: readonly string[]): Codec {
  const size = names.length <= 8 ? 1 : names.length <= 16 ? 2 : 4;
  const indices = new Map(names.map((name, i) => [name, i]));

  function unpack(set: number): Value {
    return names.filter((_, i) => (set >>> i) & 1);
  }
  function pack(value: Value): number {
    if (!Array.isArray(value)) return mismatch('flags', value, 'an array of names');
    let set = 0;
    for (const name of value as readonly Value[]) {
      const index = indices.get(name as string);
      set |= 1 << (index ?? mismatch('flags', name, `a name out of ${listed(indices.keys())}`));
    }
    return set >>> 0;
  }

  return {
    size,
    align: size,
    flat: ['i32'],
    plain: names.length === 8 * size,
    borrows: false,
    load: (cx, ptr) => unpack(loadUint(cx, ptr, size)),
    store: (cx, ptr, value) => storeUint(cx, ptr, size, pack(value)),
    lift: (_, flat, at) => unpack(flat[at] as number),
    lower: (_, value, flat) => void flat.push(pack(value)),
  };
}
