// JSON → component value, for the types without parts: strings, characters, numbers, bytes. See from-json.ts.

import { at, misfit } from './misfit.ts';
import { FLOAT_LIMITS, FLOAT_NAMES, INTEGER_RANGES, LONG_INTEGERS } from './number.ts';
import type { Value } from './value.ts';

/** Takes a JSON value, gives the component value, throws a Misfit. */
export type Reader = (json: unknown) => Value;

export function readString(json: unknown): string {
  if (typeof json !== 'string') throw misfit('a string', json);
  if (!json.isWellFormed()) throw misfit('a string of whole Unicode characters', json);
  return json;
}

export function readChar(json: unknown): string {
  if (typeof json === 'string' && json.isWellFormed()) {
    const code = json.codePointAt(0);
    if (code !== undefined && json.length === (code > 0xffff ? 2 : 1)) return json;
  }
  throw misfit('a string of one Unicode character', json);
}

export function integerReader([min, max]: readonly [number, number]): Reader {
  return (json) => {
    if (typeof json !== 'number' || !Number.isInteger(json) || json < min || json > max) {
      throw misfit(`an integer from ${min} to ${max}`, json);
    }
    return json + 0; // minus zero is zero
  };
}

export function longReader(kind: 's64' | 'u64'): Reader {
  const { min, max, safeMin, safeMax, pattern } = LONG_INTEGERS[kind];
  return (json) => {
    if (typeof json === 'number' && Number.isInteger(json)) {
      if (json >= safeMin && json <= safeMax) return BigInt(json);
      if (!Number.isSafeInteger(json)) {
        throw misfit('integers beyond 2^53 as decimal strings, which lose no digits', json);
      }
    }
    if (typeof json === 'string' && pattern.test(json)) {
      const value = BigInt(json);
      if (value >= min && value <= max) return value;
    }
    throw misfit(`an integer from ${min} to ${max}, as a number or a decimal string`, json);
  };
}

export function floatReader(kind: 'f32' | 'f64'): Reader {
  const limit = FLOAT_LIMITS[kind];
  return (json) => {
    if (typeof json === 'number' && Math.abs(json) <= limit) return kind === 'f32' ? Math.fround(json) : json;
    if (typeof json === 'string' && FLOAT_NAMES.includes(json)) return Number(json);
    throw misfit(
      kind === 'f32'
        ? 'a 32-bit number, "NaN", "Infinity" or "-Infinity"'
        : 'a number, "NaN", "Infinity" or "-Infinity"',
      json,
    );
  };
}

const readByte = integerReader(INTEGER_RANGES.u8);

export function readBytes(json: unknown): Uint8Array {
  if (typeof json === 'string') {
    const bytes = Buffer.from(json, 'base64');
    // Buffer skips what is not base64; bytes have one spelling, so writing them again shows whether it did.
    if (bytes.toString('base64') !== json) throw misfit('bytes in base64, with padding', json);
    return new Uint8Array(bytes);
  }
  if (!Array.isArray(json)) throw misfit('bytes, as a base64 string or an array', json);
  const bytes = new Uint8Array(json.length);
  for (const [i, byte] of json.entries()) {
    try {
      bytes[i] = readByte(byte) as number;
    } catch (error) {
      throw at(i, error);
    }
  }
  return bytes;
}
