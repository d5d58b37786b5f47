// Writes WebAssembly by hand for tests: sections with right sizes around bytes that may be wrong on purpose.

export type Part = number | string | readonly Part[] | Uint8Array;

/** Numbers are bytes, strings are names with their length in front. */
export function flat(...parts: readonly Part[]): number[] {
  return parts.flatMap((part) => {
    if (typeof part === 'number') return [part];
    if (typeof part === 'string') {
      const bytes = [...new TextEncoder().encode(part)];
      return [...leb(bytes.length), ...bytes];
    }
    return part instanceof Uint8Array ? [...part] : flat(...part);
  });
}

function leb(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...leb(value >>> 7)];
}

export function section(id: number, ...parts: readonly Part[]): number[] {
  const body = flat(...parts);
  return [id, ...leb(body.length), ...body];
}

export function component(...parts: readonly Part[]): Uint8Array {
  return Uint8Array.from([0x00, 0x61, 0x73, 0x6d, 0x0d, 0x00, 0x01, 0x00, ...flat(...parts)]);
}

export function module(...parts: readonly Part[]): Uint8Array {
  return Uint8Array.from([0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00, ...flat(...parts)]);
}
