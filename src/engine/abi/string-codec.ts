// The codec of `string`: the host's end speaks JavaScript strings, the guest's end views of memory.

import type { Value } from '../../wit/value.ts';
import type { Codec, CodecOptions, FlatType } from './codec.ts';
import {
  type AbiContext,
  type FlatValue,
  liftPointer,
  loadPointer,
  lowerPointer,
  storePointer,
} from './context.ts';
import {
  type GuestString,
  lengthOf,
  loadString,
  type StoredString,
  storeString,
  viewString,
} from './string.ts';
import { transcode } from './transcode.ts';

export function createStringCodec({ encoding, is64, peer }: CodecOptions): Codec {
  const width = is64 ? 8 : 4;
  const address: FlatType = is64 ? 'i64' : 'i32';
  const read = peer === 'host' ? loadString : viewString;
  const write: (cx: AbiContext, value: Value) => StoredString =
    peer === 'host'
      ? (cx, value) => storeString(cx, encoding, value)
      : (cx, value) => transcode(cx, encoding, value as GuestString);
  const rawLength = (cx: AbiContext, at: number): FlatValue =>
    is64 ? cx.view.getBigUint64(at, true) : cx.view.getUint32(at, true);

  return {
    size: 2 * width,
    align: width,
    flat: [address, address],
    plain: false,
    borrows: false,
    load: (cx, ptr) => read(cx, encoding, loadPointer(cx, ptr), rawLength(cx, ptr + width)),
    store(cx, ptr, value) {
      const stored = write(cx, value);
      storePointer(cx, ptr, stored.ptr);
      const length = lengthOf(cx, stored);
      if (is64) cx.view.setBigUint64(ptr + width, length as bigint, true);
      else cx.view.setUint32(ptr + width, length as number, true);
    },
    lift: (cx, flat, at) =>
      read(
        cx,
        encoding,
        liftPointer(flat[at] as FlatValue),
        is64 ? flat[at + 1]! : (flat[at + 1] as number) >>> 0,
      ),
    lower(cx, value, flat) {
      const stored = write(cx, value);
      flat.push(lowerPointer(cx, stored.ptr), lengthOf(cx, stored));
    },
  };
}
