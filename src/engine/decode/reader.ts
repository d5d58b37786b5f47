// A cursor over the bytes of a WebAssembly file: LEB128 numbers, names, vectors, sections. Every read is bounded by
// `end`, the end of the innermost section, and every count is checked against the bytes left before anything is
// built, so memory stays proportional to the input. Offsets in errors are those of the whole file.

import { WitboxError } from '../../core/errors.ts';
import { DEFAULT_DECODE_LIMITS, type DecodeLimits } from './limits.ts';

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

type Counted = 'modules' | 'components' | 'instances' | 'types' | 'items';

export class Reader {
  readonly bytes: Uint8Array;
  readonly limits: DecodeLimits;
  pos = 0;
  end: number;
  /** What is being read, for messages: "type section". */
  section = 'preamble';
  #depth = 0;
  readonly #base: number;
  readonly #used: Record<Counted, number> = {
    modules: 0,
    components: 0,
    instances: 0,
    types: 0,
    items: 0,
  };

  /** `base` is where `bytes` starts within the file that the user knows. */
  constructor(bytes: Uint8Array, limits: Partial<DecodeLimits> = {}, base = 0) {
    this.bytes = bytes;
    this.end = bytes.length;
    this.limits = { ...DEFAULT_DECODE_LIMITS, ...limits };
    this.#base = base;
    if (bytes.length > this.limits.fileBytes) throw this.over('bytes', bytes.length, this.limits.fileBytes);
  }

  malformed(reason: string, at = this.pos): WitboxError {
    return new WitboxError('wasm-malformed', { section: this.section, offset: this.#base + at, reason });
  }

  over(what: string, count: number, limit: number): WitboxError {
    return new WitboxError('wasm-limit', {
      what,
      count,
      limit,
      section: this.section,
      offset: this.#base + this.pos,
    });
  }

  /** Offset of the next byte within the file. */
  get at(): number {
    return this.#base + this.pos;
  }

  get left(): number {
    return this.end - this.pos;
  }

  byte(): number {
    if (this.pos >= this.end) throw this.malformed('unexpected end');
    return this.bytes[this.pos++] as number;
  }

  peek(): number {
    if (this.pos >= this.end) throw this.malformed('unexpected end');
    return this.bytes[this.pos] as number;
  }

  /** A view, not a copy. */
  take(length: number): Uint8Array {
    if (length > this.left)
      throw this.malformed(`unexpected end, ${length} bytes expected, ${this.left} left`);
    this.pos += length;
    return this.bytes.subarray(this.pos - length, this.pos);
  }

  /** For a byte that selects between productions and selects none. */
  unknown(what: string, byte: number): WitboxError {
    return this.malformed(`0x${byte.toString(16).padStart(2, '0')} is not ${what}`, this.pos - 1);
  }

  bool(what: string): boolean {
    const byte = this.byte();
    if (byte > 1) throw this.unknown(what, byte);
    return byte === 1;
  }

  /** At most five bytes; padding with zeros is allowed, bits beyond the 32nd are not. */
  u32(): number {
    let byte = this.byte();
    if (byte < 0x80) return byte;
    let value = byte & 0x7f;
    for (let shift = 7; shift < 28; shift += 7) {
      byte = this.byte();
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    byte = this.byte();
    if (byte >= 0x80) throw this.malformed('integer representation too long', this.pos - 1);
    if (byte > 0x0f) throw this.malformed('integer too large', this.pos - 1);
    return value + byte * 0x1000_0000;
  }

  /** Signed 33 bits: type indices that share their space with negative opcodes. */
  s33(): number {
    let value = 0;
    for (let scale = 1; scale < 2 ** 28; scale *= 128) {
      const byte = this.byte();
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return byte & 0x40 ? value - scale * 128 : value;
    }
    const byte = this.byte();
    if (byte >= 0x80) throw this.malformed('integer representation too long', this.pos - 1);
    if (byte > 0x0f && byte < 0x70) throw this.malformed('integer too large', this.pos - 1);
    return value + (byte & 0x40 ? byte - 0x80 : byte) * 2 ** 28;
  }

  u64(): bigint {
    let value = 0n;
    for (let shift = 0n; shift < 63n; shift += 7n) {
      const byte = this.byte();
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    const byte = this.byte();
    if (byte >= 0x80) throw this.malformed('integer representation too long', this.pos - 1);
    if (byte > 1) throw this.malformed('integer too large', this.pos - 1);
    return value | (BigInt(byte) << 63n);
  }

  name(): string {
    const length = this.u32();
    if (length > this.limits.nameBytes) throw this.over('bytes in a name', length, this.limits.nameBytes);
    const at = this.pos;
    const bytes = this.take(length);
    try {
      return UTF8.decode(bytes);
    } catch {
      throw this.malformed('malformed UTF-8 encoding', at);
    }
  }

  /** Each item takes at least one byte, so a count beyond the bytes left is refused before the first item. */
  vec<T>(what: string, limit: number, item: (reader: Reader) => T): T[] {
    const count = this.u32();
    if (count > limit) throw this.over(what, count, limit);
    if (count > this.left) {
      throw this.malformed(`unexpected end, ${count} ${what} expected, ${this.left} bytes left`);
    }
    this.count('items', count);
    const items: T[] = [];
    for (let i = 0; i < count; i++) items.push(item(this));
    return items;
  }

  /** Reads a size, then exactly that many bytes by `body`. */
  sized<T>(body: (reader: Reader) => T): T {
    const size = this.u32();
    if (size > this.left) throw this.malformed(`unexpected end, ${size} bytes expected, ${this.left} left`);
    const outer = this.end;
    this.end = this.pos + size;
    const result = body(this);
    if (this.pos !== this.end) {
      throw this.malformed(`section size mismatch, ${this.left} bytes left over`);
    }
    this.end = outer;
    return result;
  }

  /** Guards recursion. */
  nested<T>(body: () => T): T {
    if (++this.#depth > this.limits.depth)
      throw this.over('levels of nesting', this.#depth, this.limits.depth);
    const result = body();
    this.#depth--;
    return result;
  }

  /** Counts what the whole file may only have so many of. */
  count(what: Counted, more = 1): void {
    this.#used[what] += more;
    const used = this.#used[what];
    if (used > this.limits[what]) throw this.over(what, used, this.limits[what]);
  }
}
