// Codecs of lists, fixed-length lists and maps. Lists of numbers are copied as bytes; a list's elements are otherwise
// moved one by one. A guest's length is checked against its memory before anything is made from it.

import type { ValType } from '../../wit/type.ts';
import type { Value } from '../../wit/value.ts';
import { raise } from '../trap.ts';
import { type Codec, type CodecOptions, type FlatType, MAX_FLAT_PARAMS, mismatch } from './codec.ts';
import {
  type AbiContext,
  allocate,
  checkRange,
  type FlatValue,
  liftPointer,
  loadPointer,
  lowerPointer,
  spend,
  storePointer,
} from './context.ts';
import { MAX_BYTE_LENGTH } from './string.ts';

/** How the elements of a list are read from checked memory, and written to memory that is there for them. */
interface Elements {
  read(cx: AbiContext, ptr: number, length: number): Value;
  /** What an element costs apart from its bytes in the guest's memory. */
  readonly overhead: number;
  /** The number of elements in a value to be stored. */
  count(value: Value): number;
  write(cx: AbiContext, ptr: number, value: Value): void;
}

export function createListCodec(element: Codec, type: ValType, options: CodecOptions): Codec {
  const width = options.is64 ? 8 : 4;
  const address: FlatType = options.is64 ? 'i64' : 'i32';
  const { read, count, write, overhead } = elementsOf(element, type, options);

  function load(cx: AbiContext, ptr: number, length: number): Value {
    const size = length * element.size;
    if (size > MAX_BYTE_LENGTH) raise('abi', `list content out-of-bounds: ${size} bytes are too many`);
    checkRange(cx, ptr, element.align, size, 'list content');
    spend(cx, size + overhead * length);
    return read(cx, ptr, length);
  }

  function store(cx: AbiContext, value: Value, length: number): number {
    const size = length * element.size;
    if (size > MAX_BYTE_LENGTH) mismatch('list', `${size} bytes`, `at most ${MAX_BYTE_LENGTH} bytes`);
    const ptr = allocate(cx, element.align, size);
    write(cx, ptr, value);
    return ptr;
  }

  return {
    size: 2 * width,
    align: width,
    flat: [address, address],
    plain: false,
    borrows: element.borrows,
    load: (cx, ptr) => load(cx, loadPointer(cx, ptr), loadPointer(cx, ptr + width)),
    store(cx, ptr, value) {
      const length = count(value);
      storePointer(cx, ptr, store(cx, value, length));
      storePointer(cx, ptr + width, length);
    },
    lift: (cx, flat, at) =>
      load(cx, liftPointer(flat[at] as FlatValue), liftPointer(flat[at + 1] as FlatValue)),
    lower(cx, value, flat) {
      const length = count(value);
      flat.push(lowerPointer(cx, store(cx, value, length)), lowerPointer(cx, length));
    },
  };
}

export function createFixedListCodec(
  element: Codec,
  type: ValType,
  length: number,
  options: CodecOptions,
): Codec {
  const given = elementsOf(element, type, options);
  const elements = options.peer === 'host' ? { ...given, read: arrayElements(element).read } : given;
  const each = element.flat;
  const flat = each === null || each.length * length > MAX_FLAT_PARAMS ? null : repeat(each, length);

  function check(value: Value): Value {
    const found = elements.count(value);
    if (found !== length) mismatch('list', value, `${length} elements, not ${found}`);
    return value;
  }

  return {
    size: element.size * length,
    align: element.align,
    flat,
    plain: element.plain,
    borrows: element.borrows,
    load: (cx, ptr) => elements.read(cx, ptr, length),
    store: (cx, ptr, value) => elements.write(cx, ptr, check(value)),
    lift(cx, values, at) {
      const items: Value[] = [];
      const step = each?.length ?? 0;
      for (let i = 0; i < length; i++) items.push(element.lift(cx, values, at + i * step));
      return items;
    },
    lower(cx, value, values) {
      // Between guests, the bytes of plain elements may come from memory although they are passed flat here.
      for (const item of itemsOf(element, check(value))) element.lower(cx, item, values);
    },
  };
}

function repeat(flat: readonly FlatType[], times: number): FlatType[] {
  return Array.from({ length: times }, () => flat).flat();
}

type TypedArray = ArrayBufferView & ArrayLike<number | bigint>;

/** A view of plain elements in another guest's memory. */
interface PlainView {
  readonly plain: Uint8Array;
  readonly length: number;
}

const isPlainView = (value: Value): value is PlainView =>
  typeof value === 'object' && value !== null && 'plain' in value;

function itemsOf(element: Codec, value: Value): Iterable<Value> {
  if (!isPlainView(value)) return value as Iterable<Value>;
  const view = new DataView(value.plain.buffer, value.plain.byteOffset, value.plain.byteLength);
  const source = { view, bytes: value.plain } as AbiContext;
  return Array.from({ length: value.length }, (_, i) => element.load(source, i * element.size));
}

function elementsOf(element: Codec, type: ValType, { peer }: CodecOptions): Elements {
  if (peer === 'guest') return element.plain ? plainElements(element) : arrayElements(element);
  switch (type.kind) {
    case 'u8':
      return typedElements(element, Uint8Array);
    case 's8':
      return typedElements(element, Int8Array);
    case 'u16':
      return typedElements(element, Uint16Array);
    case 's16':
      return typedElements(element, Int16Array);
    case 'u32':
      return typedElements(element, Uint32Array);
    case 's32':
      return typedElements(element, Int32Array);
    case 'u64':
      return typedElements(element, BigUint64Array);
    case 's64':
      return typedElements(element, BigInt64Array);
    case 'f32':
      return typedElements(element, Float32Array);
    case 'f64':
      return typedElements(element, Float64Array);
    default:
      return arrayElements(element);
  }
}

function arrayElements(element: Codec): Elements {
  const { size } = element;
  return {
    overhead: 16,
    read(cx, ptr, length) {
      const items = new Array<Value>(length);
      for (let i = 0; i < length; i++) items[i] = element.load(cx, ptr + i * size);
      return items;
    },
    count: countArray,
    write(cx, ptr, value) {
      const items = value as readonly Value[];
      for (let i = 0; i < items.length; i++) element.store(cx, ptr + i * size, items[i]);
    },
  };
}

function countArray(value: Value): number {
  return Array.isArray(value) ? value.length : mismatch('list', value, 'an array');
}

interface TypedArrayConstructor {
  new (buffer: ArrayBufferLike, offset: number, length: number): TypedArray;
}

/** Lists of numbers at the host's end: typed arrays come out, typed arrays or arrays go in. */
function typedElements(element: Codec, type: TypedArrayConstructor): Elements {
  const plainArray = arrayElements(element);
  return {
    overhead: 0,
    read(cx, ptr, length) {
      const copy = cx.bytes.slice(ptr, ptr + length * element.size);
      return new type(copy.buffer, 0, length);
    },
    count: (value) => (value instanceof type ? value.length : countArray(value)),
    write(cx, ptr, value) {
      if (!(value instanceof type)) return plainArray.write(cx, ptr, value);
      cx.bytes.set(new Uint8Array(value.buffer, value.byteOffset, value.byteLength), ptr);
    },
  };
}

function plainElements(element: Codec): Elements {
  const array = arrayElements(element);
  return {
    overhead: 0,
    read: (cx, ptr, length): PlainView => ({
      plain: cx.bytes.subarray(ptr, ptr + length * element.size),
      length,
    }),
    count: (value) => (value as PlainView | readonly Value[]).length,
    write(cx, ptr, value) {
      if (isPlainView(value)) cx.bytes.set(value.plain, ptr);
      else array.write(cx, ptr, value);
    },
  };
}
