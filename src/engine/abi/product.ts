// Codecs of records and tuples: fields one after another, each at its alignment.

import type { Field } from '../../wit/type.ts';
import type { Value } from '../../wit/value.ts';
import { alignTo, type Codec, concatFlat, mismatch } from './codec.ts';
import { createFieldLoad, createFieldStore, type Fields } from './fields.ts';

interface Product {
  readonly size: number;
  readonly align: number;
  readonly flat: Codec['flat'];
  readonly plain: boolean;
  readonly borrows: boolean;
  /** Byte offset and flat index of each part. */
  readonly offsets: readonly number[];
  readonly indices: readonly number[];
}

function layOut(parts: readonly Codec[]): Product {
  const offsets: number[] = [];
  const indices: number[] = [];
  let end = 0;
  let align = 1;
  let index = 0;
  let used = 0;
  for (const part of parts) {
    align = Math.max(align, part.align);
    end = alignTo(end, part.align);
    offsets.push(end);
    indices.push(index);
    end += part.size;
    used += part.size;
    index += part.flat?.length ?? 0;
  }
  const size = alignTo(end, align);
  return {
    size,
    align,
    flat: concatFlat(parts),
    // Padding never crosses: it may hold what the sender did not mean to send.
    plain: used === size && parts.every((part) => part.plain),
    borrows: parts.some((part) => part.borrows),
    offsets,
    indices,
  };
}

export function createRecordCodec(fields: readonly Field[], parts: readonly Codec[]): Codec {
  const { offsets, indices, ...layout } = layOut(parts);
  const names = fields.map((field) => field.name);
  const places = parts.map((codec, i) => ({ name: names[i] as string, codec, offset: offsets[i] as number }));
  const loadFields = createFieldLoad(places);
  const storeFields = createFieldStore(places);
  // Such a name is found in every object, so it counts only where it is the object's own.
  const inherited = names.filter((name) => name in Object.prototype);

  function fieldsOf(value: Value): Fields {
    if (typeof value !== 'object' || value === null) return mismatch('record', value, 'an object');
    if (inherited.length === 0) return value as Fields;
    const own: Fields = Object.assign(Object.create(null), value);
    return own;
  }

  return {
    ...layout,
    load(cx, ptr) {
      const record: Fields = {};
      loadFields(cx, ptr, record);
      return record;
    },
    store: (cx, ptr, value) => storeFields(cx, ptr, fieldsOf(value)),
    lift(cx, flat, at) {
      const record: Fields = {};
      for (let i = 0; i < parts.length; i++) {
        record[names[i] as string] = (parts[i] as Codec).lift(cx, flat, at + (indices[i] as number));
      }
      return record;
    },
    lower(cx, value, flat) {
      const fields = fieldsOf(value);
      for (let i = 0; i < parts.length; i++) {
        (parts[i] as Codec).lower(cx, fields[names[i] as string], flat);
      }
    },
  };
}

/** Also the codec of all parameters of a function together, which is why `what` can be given. */
export function createTupleCodec(parts: readonly Codec[], what = 'tuple'): Codec {
  const { offsets, indices, ...layout } = layOut(parts);

  function check(value: Value): readonly Value[] {
    if (!Array.isArray(value)) return mismatch(what, value, 'an array');
    if (value.length !== parts.length) {
      mismatch(what, `${value.length} values`, `exactly ${parts.length}`);
    }
    return value;
  }

  return {
    ...layout,
    load(cx, ptr) {
      const items: Value[] = [];
      for (let i = 0; i < parts.length; i++) {
        items.push((parts[i] as Codec).load(cx, ptr + (offsets[i] as number)));
      }
      return items;
    },
    store(cx, ptr, value) {
      const items = check(value);
      for (let i = 0; i < parts.length; i++) {
        (parts[i] as Codec).store(cx, ptr + (offsets[i] as number), items[i]);
      }
    },
    lift(cx, flat, at) {
      const items: Value[] = [];
      for (let i = 0; i < parts.length; i++) {
        items.push((parts[i] as Codec).lift(cx, flat, at + (indices[i] as number)));
      }
      return items;
    },
    lower(cx, value, flat) {
      const items = check(value);
      for (let i = 0; i < parts.length; i++) (parts[i] as Codec).lower(cx, items[i], flat);
    },
  };
}
