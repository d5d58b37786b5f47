// Strings from one guest's memory into another's. Which allocations are asked for, of which sizes and in which order,
// is visible to the receiving guest and laid down by the specification (CanonicalABI.md, "Storing": strings).

import type { StringEncoding } from '../decode/ast.ts';
import { type AbiContext, allocate, reallocate } from './context.ts';
import { decode, type GuestString, isLatin1, type StoredString, writeLatin1, writeUtf16 } from './string.ts';

const encoder = new TextEncoder();

export function transcode(cx: AbiContext, encoding: StringEncoding, source: GuestString): StoredString {
  switch (encoding) {
    case 'utf8':
      if (source.encoding === 'utf8') return copy(cx, source, 1, 1, false);
      return toUtf8(cx, source, source.encoding === 'utf16' ? 3 * source.units : 2 * source.units);
    case 'utf16':
      if (source.encoding === 'utf16') return copy(cx, source, 2, 2, false);
      if (source.encoding === 'utf8') return utf8ToUtf16(cx, source);
      return widen(cx, source);
    case 'latin1+utf16':
      if (!source.either) return toEither(cx, source);
      if (source.encoding === 'latin1') return copy(cx, source, 1, 2, false);
      return probablyUtf16(cx, source);
  }
}

function copy(
  cx: AbiContext,
  source: GuestString,
  unit: number,
  align: number,
  tagged: boolean,
): StoredString {
  const ptr = allocate(cx, align, unit * source.units);
  cx.bytes.set(source.bytes, ptr);
  return { ptr, units: source.units, tagged };
}

function widen(cx: AbiContext, { bytes, units }: GuestString): StoredString {
  const ptr = allocate(cx, 2, 2 * units);
  for (let i = 0; i < units; i++) cx.view.setUint16(ptr + 2 * i, bytes[i] as number, true);
  return { ptr, units, tagged: false };
}

/** Starts as if all were ASCII, and makes room for the worst case at the first character that is not. */
function toUtf8(cx: AbiContext, source: GuestString, worstCase: number): StoredString {
  let ptr = allocate(cx, 1, source.units);
  const text = decode(source);
  const ascii = prefix(text, 0x7f);
  if (ascii === text.length) {
    writeLatin1(cx, ptr, text);
    return { ptr, units: text.length, tagged: false };
  }
  writeLatin1(cx, ptr, text.slice(0, ascii));
  ptr = reallocate(cx, ptr, source.units, 1, worstCase);
  const rest = encoder.encode(text.slice(ascii));
  cx.bytes.set(rest, ptr + ascii);
  const size = ascii + rest.length;
  if (worstCase > size) ptr = reallocate(cx, ptr, worstCase, 1, size);
  return { ptr, units: size, tagged: false };
}

function utf8ToUtf16(cx: AbiContext, source: GuestString): StoredString {
  const worstCase = 2 * source.units;
  let ptr = allocate(cx, 2, worstCase);
  const text = decode(source);
  writeUtf16(cx, ptr, text, 0);
  if (2 * text.length < worstCase) ptr = reallocate(cx, ptr, worstCase, 2, 2 * text.length);
  return { ptr, units: text.length, tagged: false };
}

/** Starts as Latin-1, and widens what is there at the first character beyond it. */
function toEither(cx: AbiContext, source: GuestString): StoredString {
  let ptr = allocate(cx, 2, source.units);
  const text = decode(source);
  const latin1 = prefix(text, 0xff);
  writeLatin1(cx, ptr, text.slice(0, latin1));
  if (latin1 === text.length) {
    if (latin1 < source.units) ptr = reallocate(cx, ptr, source.units, 2, latin1);
    return { ptr, units: latin1, tagged: false };
  }
  const worstCase = 2 * source.units;
  ptr = reallocate(cx, ptr, source.units, 2, worstCase);
  for (let i = latin1 - 1; i >= 0; i--) cx.view.setUint16(ptr + 2 * i, cx.bytes[ptr + i] as number, true);
  writeUtf16(cx, ptr, text, latin1);
  if (worstCase > 2 * text.length) ptr = reallocate(cx, ptr, worstCase, 2, 2 * text.length);
  return { ptr, units: text.length, tagged: true };
}

/** The sender chose UTF-16, so it is likely needed; if it turns out not to be, the string is made narrow. */
function probablyUtf16(cx: AbiContext, source: GuestString): StoredString {
  const stored = copy(cx, source, 2, 2, true);
  if (!isLatin1(decode(source))) return stored;
  for (let i = 0; i < source.units; i++) cx.bytes[stored.ptr + i] = cx.bytes[stored.ptr + 2 * i] as number;
  const ptr = reallocate(cx, stored.ptr, 2 * source.units, 1, source.units);
  return { ptr, units: source.units, tagged: false };
}

/** How many code units from the start are at most `max`. */
function prefix(text: string, max: number): number {
  let i = 0;
  while (i < text.length && text.charCodeAt(i) <= max) i++;
  return i;
}
