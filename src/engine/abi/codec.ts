// One type of the component model, compiled: closures that move its values between JavaScript and guest memory or
// core arguments. A codec knows no instance; everything that does comes in through the context.
// Values of the host are checked here, for they come from outside; values from a guest are checked as the canonical
// ABI says, and trap.

import { WitboxError } from '../../core/errors.ts';
import type { Value } from '../../wit/value.ts';
import type { StringEncoding } from '../decode/ast.ts';
import type { AbiContext, FlatValue } from './context.ts';

export type FlatType = 'i32' | 'i64' | 'f32' | 'f64';

export interface Codec {
  readonly size: number;
  readonly align: number;
  /** Core types of the value when passed as arguments; null if there are more than can ever be passed so. */
  readonly flat: readonly FlatType[] | null;
  /** Any bytes of the right length are a value, so that one guest's may be copied to another's memory as they are. */
  readonly plain: boolean;
  readonly borrows: boolean;
  load(cx: AbiContext, ptr: number): Value;
  store(cx: AbiContext, ptr: number, value: Value): void;
  /** Reads the value from `flat`, starting at `at`. */
  lift(cx: AbiContext, flat: FlatValue[], at: number): Value;
  /** Appends the value to `flat`. */
  lower(cx: AbiContext, value: Value, flat: FlatValue[]): void;
}

export interface CodecOptions {
  readonly encoding: StringEncoding;
  readonly is64: boolean;
  /**
   * Who is at the other end. For the host, values take the form of `wit/value.ts`; for another guest, strings and
   * lists of plain elements stay views of the memory they are in, and handles are bare representations.
   */
  readonly peer: 'host' | 'guest';
}

export const MAX_FLAT_PARAMS = 16;

export const alignTo = (offset: number, align: number): number => Math.ceil(offset / align) * align;

/** The error for a value that the host gave and that is not of the type the guest expects. */
export function mismatch(type: string, value: Value, expected: string): never {
  throw new WitboxError('value-mismatch', { type, expected, value: describe(value) });
}

function describe(value: Value): string {
  if (typeof value === 'string') return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value);
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'object') return Array.isArray(value) ? 'an array' : 'an object';
  return String(value);
}

/** Concatenates flat types, giving up where there are too many to be passed flat. */
export function concatFlat(parts: readonly Codec[]): FlatType[] | null {
  const flat: FlatType[] = [];
  for (const part of parts) {
    if (part.flat === null || flat.length + part.flat.length > MAX_FLAT_PARAMS) return null;
    flat.push(...part.flat);
  }
  return flat;
}
