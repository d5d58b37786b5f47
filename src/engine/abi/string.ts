// Strings in guest memory, in the three encodings of the canonical ABI, to and from JavaScript strings. Invalid
// contents trap: nothing is ever replaced on the way out of a guest. On the way in, lone surrogates, which no
// encoding has, become U+FFFD as everywhere in the platform.

import { Buffer, isUtf8 } from 'node:buffer';
import type { StringEncoding } from '../decode/ast.ts';
import { raise } from '../trap.ts';
import { mismatch } from './codec.ts';
import { type AbiContext, allocate, checkRange, type FlatValue, liftPointer, spend } from './context.ts';

type SimpleEncoding = 'utf8' | 'utf16' | 'latin1';

/** A checked string where it lies in a guest's memory. Good until that guest runs again. */
export interface GuestString {
  readonly encoding: SimpleEncoding;
  /** Declared by the guest as either Latin-1 or UTF-16. */
  readonly either: boolean;
  readonly bytes: Uint8Array;
  readonly units: number;
}

/** Address and length as they are passed to a guest; `tagged` marks UTF-16 where it may also be Latin-1. */
export interface StoredString {
  readonly ptr: number;
  readonly units: number;
  readonly tagged: boolean;
}

export const MAX_BYTE_LENGTH = 2 ** 28 - 1;
const TAG_32 = 2 ** 31;
const TAG_64 = 2n ** 63n;
const SHORT = 8;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const encoder = new TextEncoder();

/** The bytes of a string whose address and length a guest gave, checked for everything but their contents. */
function locate(cx: AbiContext, encoding: StringEncoding, ptr: number, length: FlatValue): GuestString {
  let units = liftPointer(length);
  let simple: SimpleEncoding = encoding === 'latin1+utf16' ? 'latin1' : encoding;
  if (encoding === 'latin1+utf16') {
    if (typeof length === 'bigint' ? BigInt.asUintN(64, length) >= TAG_64 : units >= TAG_32) {
      simple = 'utf16';
      units = typeof length === 'bigint' ? Number(BigInt.asUintN(63, length)) : units - TAG_32;
    }
  }
  const size = simple === 'utf16' ? 2 * units : units;
  if (size > MAX_BYTE_LENGTH) raise('abi', `string content out-of-bounds: ${size} bytes are too many`);
  checkRange(cx, ptr, encoding === 'utf8' ? 1 : 2, size, 'string content');
  spend(cx, size);
  return {
    encoding: simple,
    either: encoding === 'latin1+utf16',
    bytes: cx.bytes.subarray(ptr, ptr + size),
    units,
  };
}

/** A string as a view of the guest's memory, contents checked, for passing on to another guest. */
export function viewString(
  cx: AbiContext,
  encoding: StringEncoding,
  ptr: number,
  length: FlatValue,
): GuestString {
  const string = locate(cx, encoding, ptr, length);
  if (string.encoding === 'utf8' && !isUtf8(string.bytes)) raise('abi', 'invalid utf-8 in a string');
  if (string.encoding === 'utf16') checkUtf16(string.bytes);
  return string;
}

export function loadString(cx: AbiContext, encoding: StringEncoding, ptr: number, length: FlatValue): string {
  if (encoding === 'utf8' && (length as number) <= SHORT) {
    const short = shortAscii(cx, ptr, liftPointer(length));
    if (short !== null) return short;
  }
  const string = locate(cx, encoding, ptr, length);
  if (string.encoding === 'utf16') checkUtf16(string.bytes);
  return decode(string);
}

/** A few ASCII characters are put together faster than a decoder is called. */
function shortAscii(cx: AbiContext, ptr: number, length: number): string | null {
  const { bytes } = cx;
  if (ptr + length > bytes.length) return null;
  spend(cx, length);
  let text = '';
  for (let i = ptr; i < ptr + length; i++) {
    const code = bytes[i] as number;
    if (code > 0x7f) return null;
    text += String.fromCharCode(code);
  }
  return text;
}

export function decode({ encoding, bytes }: GuestString): string {
  if (encoding === 'utf8') {
    try {
      return utf8.decode(bytes);
    } catch {
      return raise('abi', 'invalid utf-8 in a string');
    }
  }
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  return buffer.toString(encoding === 'utf16' ? 'utf16le' : 'latin1');
}

function checkUtf16(bytes: Uint8Array): void {
  const units = new Uint16Array(bytes.buffer, bytes.byteOffset, bytes.length / 2);
  for (let i = 0; i < units.length; i++) {
    const unit = units[i] as number;
    if ((unit & 0xf800) !== 0xd800) continue;
    const next = i + 1 < units.length ? (units[i + 1] as number) : 0;
    if (unit >= 0xdc00 || (next & 0xfc00) !== 0xdc00)
      raise('abi', 'unpaired surrogate: invalid utf-16 in a string');
    i++;
  }
}

/** Writes a string of the host into the guest, in one allocation of exactly the size it takes. */
export function storeString(cx: AbiContext, encoding: StringEncoding, value: unknown): StoredString {
  if (typeof value !== 'string') return mismatch('string', value as object, 'a string');
  if (encoding === 'utf8') return storeUtf8(cx, value);
  const text = value.toWellFormed();
  if (encoding === 'latin1+utf16' && isLatin1(text)) {
    const ptr = allocate(cx, 2, checkLength(text.length));
    writeLatin1(cx, ptr, text);
    return { ptr, units: text.length, tagged: false };
  }
  const ptr = allocate(cx, 2, checkLength(2 * text.length));
  writeUtf16(cx, ptr, text, 0);
  return { ptr, units: text.length, tagged: encoding === 'latin1+utf16' };
}

function storeUtf8(cx: AbiContext, text: string): StoredString {
  const size = checkLength(Buffer.byteLength(text));
  const ptr = allocate(cx, 1, size);
  if (size === text.length && size <= 2 * SHORT) writeLatin1(cx, ptr, text);
  else encoder.encodeInto(text, cx.bytes.subarray(ptr, ptr + size));
  return { ptr, units: size, tagged: false };
}

function checkLength(size: number): number {
  if (size > MAX_BYTE_LENGTH) mismatch('string', `${size} bytes`, `at most ${MAX_BYTE_LENGTH} bytes`);
  return size;
}

export function isLatin1(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 0xff) return false;
  return true;
}

export function writeLatin1(cx: AbiContext, ptr: number, text: string): void {
  for (let i = 0; i < text.length; i++) cx.bytes[ptr + i] = text.charCodeAt(i);
}

/** Writes the code units from index `from` on, to where they belong in a string that starts at `ptr`. */
export function writeUtf16(cx: AbiContext, ptr: number, text: string, from: number): void {
  for (let i = from; i < text.length; i++) cx.view.setUint16(ptr + 2 * i, text.charCodeAt(i), true);
}

/** The length as the guest gets it: with the tag, and as wide as its addresses are. */
export function lengthOf(cx: AbiContext, { units, tagged }: StoredString): FlatValue {
  if (cx.is64) return tagged ? BigInt(units) | TAG_64 : BigInt(units);
  return tagged ? units + TAG_32 : units;
}
