// WireValue ⇔ bytes: one tag byte, then the value; bulk bytes as they are. The reader trusts nothing: every length is
// checked against the bytes that are there before anything is allocated, depth and the number of values are bounded,
// text must be UTF-8, and bytes left over are an error. Objects read have no prototype.

import { WitboxError } from './errors.ts';
import type { WireValue } from './port.ts';

const NULL = 0;
const FALSE = 1;
const TRUE = 2;
const INT = 3;
const FLOAT = 4;
const BIGINT = 5;
const STRING = 6;
const BYTES = 7;
const ARRAY = 8;
const OBJECT = 9;
/** Tags from here on are the integers 0 … 127 themselves. */
const SMALL = 0x80;

const MOST_DEPTH = 64;
const MOST_VALUES = 1 << 17;
const MOST_BIGINT_BYTES = 1024;
/** Zigzag doubles a number: below this the reader stays in exact integers. */
const MOST_INT = 2 ** 51;
const SHORT_TEXT = 24;

const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Bytes being written, in a buffer that grows. `bytes.subarray(0, length)` is what has been written. */
export class WireWriter {
  bytes: Buffer = Buffer.allocUnsafeSlow(4096);
  length = 0;

  /** Makes room for `count` more bytes and gives the place where they begin. */
  reserve(count: number): number {
    const at = this.length;
    const needed = at + count;
    if (needed > this.bytes.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(needed, this.bytes.length * 2));
      larger.set(this.bytes.subarray(0, at));
      this.bytes = larger;
    }
    this.length = needed;
    return at;
  }

  byte(value: number): void {
    const at = this.reserve(1);
    this.bytes[at] = value;
  }

  /** An unsigned integer below 2^53, seven bits a byte. */
  varint(value: number): void {
    let rest = value;
    while (rest >= 0x80) {
      this.byte((rest % 0x80) | 0x80);
      rest = Math.floor(rest / 0x80);
    }
    this.byte(rest);
  }

  text(value: string): void {
    if (value.length <= SHORT_TEXT && this.#ascii(value)) return;
    const size = Buffer.byteLength(value);
    this.varint(size);
    const at = this.reserve(size);
    this.bytes.write(value, at, size, 'utf8');
  }

  /** Text without its length: the last thing in a message. */
  utf8(value: string): void {
    const at = this.reserve(value.length * 3);
    this.length = at + this.bytes.write(value, at, 'utf8');
  }

  raw(value: Uint8Array): void {
    const at = this.reserve(value.byteLength);
    this.bytes.set(value, at);
  }

  value(value: WireValue): void {
    if (value === null) this.byte(NULL);
    else if (typeof value === 'boolean') this.byte(value ? TRUE : FALSE);
    else if (typeof value === 'number') this.#number(value);
    else if (typeof value === 'bigint') this.#bigint(value);
    else if (typeof value === 'object') this.#object(value);
    else if (typeof value === 'string') {
      this.byte(STRING);
      this.text(value);
    } else throw new TypeError(`${typeof value} cannot cross the wire`);
  }

  // Short names and codes are most of what crosses: a loop beats a call into the runtime for them.
  #ascii(value: string): boolean {
    const size = value.length;
    const start = this.length;
    const at = this.reserve(size + 1);
    this.bytes[at] = size;
    for (let i = 0; i < size; i++) {
      const code = value.charCodeAt(i);
      if (code >= 0x80) {
        this.length = start;
        return false;
      }
      this.bytes[at + 1 + i] = code;
    }
    return true;
  }

  #number(value: number): void {
    const whole = Number.isSafeInteger(value) && !Object.is(value, -0);
    if (whole && value >= 0 && value < 0x80) this.byte(SMALL | value);
    else if (whole && Math.abs(value) < MOST_INT) {
      this.byte(INT);
      this.varint(value < 0 ? -value * 2 - 1 : value * 2);
    } else {
      this.byte(FLOAT);
      const at = this.reserve(8);
      this.bytes.writeDoubleLE(value, at);
    }
  }

  #bigint(value: bigint): void {
    const negative = value < 0n;
    let hex = (negative ? -value : value).toString(16);
    if (hex.length % 2 === 1) hex = `0${hex}`;
    const magnitude = Buffer.from(hex, 'hex');
    if (magnitude.length > MOST_BIGINT_BYTES) throw new TypeError('integer too large to cross the wire');
    this.byte(BIGINT);
    this.byte(negative ? 1 : 0);
    this.varint(magnitude.length);
    this.raw(magnitude);
  }

  #object(value: object): void {
    if (value instanceof Uint8Array) {
      this.byte(BYTES);
      this.varint(value.byteLength);
      this.raw(value);
    } else if (Array.isArray(value)) {
      this.byte(ARRAY);
      this.varint(value.length);
      for (const item of value as readonly WireValue[]) this.value(item);
    } else {
      const keys = Object.keys(value);
      this.byte(OBJECT);
      this.varint(keys.length);
      for (const key of keys) {
        this.text(key);
        this.value((value as Record<string, WireValue>)[key] as WireValue);
      }
    }
  }
}

/** Reads what a WireWriter wrote, from bytes that anybody may have made. Throws WitboxError `wire-malformed`. */
export class WireReader {
  readonly #bytes: Buffer;
  #at: number;
  readonly #end: number;
  #values = 0;

  constructor(bytes: Uint8Array, start = 0, end = bytes.byteLength) {
    this.#bytes = Buffer.isBuffer(bytes)
      ? bytes
      : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#at = start;
    this.#end = end;
  }

  byte(): number {
    if (this.#at >= this.#end) this.#bad('it ends too early');
    return this.#bytes[this.#at++] as number;
  }

  varint(): number {
    let value = 0;
    let scale = 1;
    for (let i = 0; i < 8; i++) {
      const byte = this.byte();
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) {
        if (value > Number.MAX_SAFE_INTEGER) break;
        if (byte === 0 && i > 0) break;
        return value;
      }
      scale *= 0x80;
    }
    return this.#bad('a number is too long');
  }

  text(): string {
    const size = this.#size();
    const start = this.#at;
    this.#at += size;
    let ascii = true;
    for (let i = start; i < this.#at && ascii; i++) ascii = (this.#bytes[i] as number) < 0x80;
    if (ascii) return this.#bytes.toString('latin1', start, this.#at);
    try {
      return strictUtf8.decode(this.#bytes.subarray(start, this.#at));
    } catch {
      return this.#bad('text is not UTF-8');
    }
  }

  /** A copy of the bytes that are left: never a view, so that a few bytes kept do not keep a whole read alive. */
  rest(): Uint8Array {
    const bytes = new Uint8Array(this.#bytes.subarray(this.#at, this.#end));
    this.#at = this.#end;
    return bytes;
  }

  restText(): string {
    const start = this.#at;
    this.#at = this.#end;
    return this.#bytes.toString('utf8', start, this.#end);
  }

  value(depth = 0): WireValue {
    if (depth > MOST_DEPTH) this.#bad('it is nested too deeply');
    if (++this.#values > MOST_VALUES) this.#bad('it has too many values');
    const tag = this.byte();
    if (tag >= SMALL) return tag & 0x7f;
    switch (tag) {
      case NULL:
        return null;
      case FALSE:
        return false;
      case TRUE:
        return true;
      case INT: {
        const zigzag = this.varint();
        return zigzag % 2 === 0 ? zigzag / 2 : -(zigzag + 1) / 2;
      }
      case FLOAT: {
        if (this.#end - this.#at < 8) this.#bad('it ends too early');
        this.#at += 8;
        return this.#bytes.readDoubleLE(this.#at - 8);
      }
      case BIGINT:
        return this.#bigint();
      case STRING:
        return this.text();
      case BYTES: {
        const size = this.#size();
        this.#at += size;
        return new Uint8Array(this.#bytes.subarray(this.#at - size, this.#at));
      }
      case ARRAY: {
        const count = this.#size();
        const items: WireValue[] = [];
        for (let i = 0; i < count; i++) items.push(this.value(depth + 1));
        return items;
      }
      case OBJECT:
        return this.#object(depth);
      default:
        return this.#bad('a value has an unknown tag');
    }
  }

  end(): void {
    if (this.#at !== this.#end) this.#bad('bytes are left over');
  }

  /** A length or count: each of what it counts takes at least one byte, so that it cannot exceed what is left. */
  #size(): number {
    const size = this.varint();
    if (size > this.#end - this.#at) this.#bad('a length goes beyond the end');
    return size;
  }

  #bigint(): bigint {
    const sign = this.byte();
    const size = this.#size();
    if (sign > 1 || size === 0 || size > MOST_BIGINT_BYTES) this.#bad('an integer is malformed');
    this.#at += size;
    const magnitude = BigInt(`0x${this.#bytes.toString('hex', this.#at - size, this.#at)}`);
    return sign === 1 ? -magnitude : magnitude;
  }

  #object(depth: number): WireValue {
    const count = this.#size();
    const object: Record<string, WireValue> = Object.create(null) as Record<string, WireValue>;
    for (let i = 0; i < count; i++) {
      const key = this.text();
      if (key in object) this.#bad('a key comes twice');
      object[key] = this.value(depth + 1);
    }
    return object;
  }

  #bad(reason: string): never {
    throw new WitboxError('wire-malformed', { reason });
  }
}

export function encodeWire(value: WireValue): Uint8Array {
  const writer = new WireWriter();
  writer.value(value);
  return writer.bytes.subarray(0, writer.length);
}

export function decodeWire(bytes: Uint8Array): WireValue {
  const reader = new WireReader(bytes);
  const value = reader.value();
  reader.end();
  return value;
}
