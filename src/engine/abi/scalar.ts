// Codecs of booleans, numbers and characters. Numbers of the host are checked for range, never wrapped; numbers of a
// guest are wrapped as the canonical ABI says; every NaN that crosses is the canonical one.

import type { Value } from '../../wit/value.ts';
import { raise } from '../trap.ts';
import { type Codec, type FlatType, mismatch } from './codec.ts';
import type { AbiContext, FlatValue } from './context.ts';

type Scalar = Pick<Codec, 'load' | 'store' | 'lift' | 'lower'>;

const scalar = (size: number, flat: FlatType, plain: boolean, access: Scalar): Codec => ({
  size,
  align: size,
  flat: [flat],
  plain,
  borrows: false,
  ...access,
});

function integer(value: Value, min: number, max: number, type: string): number {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < min || value > max) {
    return mismatch(type, value, `an integer from ${min} to ${max}`);
  }
  return value;
}

/** Comparing with the wrapped value takes V8 half as long as comparing with two bounds. */
function unsigned64(value: Value): bigint {
  if (typeof value === 'bigint' && BigInt.asUintN(64, value) === value) return value;
  return mismatch('u64', value, 'a bigint from 0 to 2^64 - 1');
}

function signed64(value: Value): bigint {
  if (typeof value === 'bigint' && BigInt.asIntN(64, value) === value) return value;
  return mismatch('s64', value, 'a bigint from -2^63 to 2^63 - 1');
}

function float(value: Value, type: string): number {
  if (typeof value !== 'number') return mismatch(type, value, 'a number');
  // biome-ignore lint/suspicious/noSelfCompare: the quickest test for NaN, whose payload must not cross
  return value !== value ? Number.NaN : value;
}

function boolean(value: Value): number {
  if (typeof value !== 'boolean') return mismatch('bool', value, 'true or false');
  return value ? 1 : 0;
}

function charFromCode(code: number): string {
  if (code >= 0x110000 || (code >= 0xd800 && code <= 0xdfff)) raise('abi', 'invalid `char` bit pattern');
  return String.fromCodePoint(code);
}

function codeOfChar(value: Value): number {
  const code = typeof value === 'string' ? value.codePointAt(0) : undefined;
  const length = code !== undefined && code > 0xffff ? 2 : 1;
  if (code === undefined || (value as string).length !== length || (code >= 0xd800 && code <= 0xdfff)) {
    return mismatch('char', value, 'a string of one Unicode scalar value');
  }
  return code;
}

const num = (flat: FlatValue[], at: number): number => flat[at] as number;
const big = (flat: FlatValue[], at: number): bigint => flat[at] as bigint;

const u8 = (v: Value): number => integer(v, 0, 0xff, 'u8');
const s8 = (v: Value): number => integer(v, -0x80, 0x7f, 's8');
const u16 = (v: Value): number => integer(v, 0, 0xffff, 'u16');
const s16 = (v: Value): number => integer(v, -0x8000, 0x7fff, 's16');
const u32 = (v: Value): number => integer(v, 0, 0xffffffff, 'u32');
const s32 = (v: Value): number => integer(v, -0x80000000, 0x7fffffff, 's32');
const f32 = (v: Value): number => float(v, 'f32');
const f64 = (v: Value): number => float(v, 'f64');

export const SCALARS: Readonly<Record<ScalarKind, Codec>> = {
  bool: scalar(1, 'i32', false, {
    load: (cx, p) => cx.view.getUint8(p) !== 0,
    store: (cx, p, v) => cx.view.setUint8(p, boolean(v)),
    lift: (_, f, at) => num(f, at) !== 0,
    lower: (_, v, f) => void f.push(boolean(v)),
  }),
  u8: scalar(1, 'i32', true, {
    load: (cx, p) => cx.view.getUint8(p),
    store: (cx, p, v) => cx.view.setUint8(p, u8(v)),
    lift: (_, f, at) => num(f, at) & 0xff,
    lower: (_, v, f) => void f.push(u8(v)),
  }),
  s8: scalar(1, 'i32', true, {
    load: (cx, p) => cx.view.getInt8(p),
    store: (cx, p, v) => cx.view.setInt8(p, s8(v)),
    lift: (_, f, at) => (num(f, at) << 24) >> 24,
    lower: (_, v, f) => void f.push(s8(v)),
  }),
  u16: scalar(2, 'i32', true, {
    load: (cx, p) => cx.view.getUint16(p, true),
    store: (cx, p, v) => cx.view.setUint16(p, u16(v), true),
    lift: (_, f, at) => num(f, at) & 0xffff,
    lower: (_, v, f) => void f.push(u16(v)),
  }),
  s16: scalar(2, 'i32', true, {
    load: (cx, p) => cx.view.getInt16(p, true),
    store: (cx, p, v) => cx.view.setInt16(p, s16(v), true),
    lift: (_, f, at) => (num(f, at) << 16) >> 16,
    lower: (_, v, f) => void f.push(s16(v)),
  }),
  u32: scalar(4, 'i32', true, {
    load: (cx, p) => cx.view.getUint32(p, true),
    store: (cx, p, v) => cx.view.setUint32(p, u32(v), true),
    lift: (_, f, at) => num(f, at) >>> 0,
    lower: (_, v, f) => void f.push(u32(v)),
  }),
  s32: scalar(4, 'i32', true, {
    load: (cx, p) => cx.view.getInt32(p, true),
    store: (cx, p, v) => cx.view.setInt32(p, s32(v), true),
    lift: (_, f, at) => num(f, at) | 0,
    lower: (_, v, f) => void f.push(s32(v)),
  }),
  u64: scalar(8, 'i64', true, {
    load: (cx, p) => cx.view.getBigUint64(p, true),
    store: (cx, p, v) => cx.view.setBigUint64(p, unsigned64(v), true),
    lift: (_, f, at) => BigInt.asUintN(64, big(f, at)),
    lower: (_, v, f) => void f.push(unsigned64(v)),
  }),
  s64: scalar(8, 'i64', true, {
    load: (cx, p) => cx.view.getBigInt64(p, true),
    store: (cx, p, v) => cx.view.setBigInt64(p, signed64(v), true),
    lift: (_, f, at) => BigInt.asIntN(64, big(f, at)),
    lower: (_, v, f) => void f.push(signed64(v)),
  }),
  f32: scalar(4, 'f32', true, {
    load: (cx, p) => f32(cx.view.getFloat32(p, true)),
    store: (cx, p, v) => cx.view.setFloat32(p, f32(v), true),
    lift: (_, f, at) => f32(num(f, at)),
    lower: (_, v, f) => void f.push(f32(v)),
  }),
  f64: scalar(8, 'f64', true, {
    load: (cx, p) => f64(cx.view.getFloat64(p, true)),
    store: (cx, p, v) => cx.view.setFloat64(p, f64(v), true),
    lift: (_, f, at) => f64(num(f, at)),
    lower: (_, v, f) => void f.push(f64(v)),
  }),
  char: scalar(4, 'i32', false, {
    load: (cx, p) => charFromCode(cx.view.getUint32(p, true)),
    store: (cx, p, v) => cx.view.setUint32(p, codeOfChar(v), true),
    lift: (_, f, at) => charFromCode(num(f, at) >>> 0),
    lower: (_, v, f) => void f.push(codeOfChar(v)),
  }),
};

export type ScalarKind =
  | 'bool'
  | 'u8'
  | 's8'
  | 'u16'
  | 's16'
  | 'u32'
  | 's32'
  | 'u64'
  | 's64'
  | 'f32'
  | 'f64'
  | 'char';

/** The error-context codec: a handle of the instance's table whose value is the message. */
export const ERROR_CONTEXT: Codec = scalar(4, 'i32', false, {
  load: (cx, p) => liftErrorContext(cx, cx.view.getUint32(p, true)),
  store: (cx, p, v) => cx.view.setUint32(p, lowerErrorContext(cx, v), true),
  lift: (cx, f, at) => liftErrorContext(cx, num(f, at)),
  lower: (cx, v, f) => void f.push(lowerErrorContext(cx, v)),
});

const liftErrorContext = (cx: AbiContext, index: number): Value => cx.owner.handles.errorContext(index);

function lowerErrorContext(cx: AbiContext, value: Value): number {
  if (typeof value !== 'object' || value === null || !('message' in value)) {
    return mismatch('error-context', value, 'an error context');
  }
  return cx.owner.handles.add({ message: String(value.message) });
}
