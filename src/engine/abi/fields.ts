// How the fields of a record move between an object and memory, unrolled. V8 learns what one place in the code sees:
// a loop over all fields sees every name and every codec there, straight-line code sees one. A process that runs a
// few record types moves records four times as fast this way, one that runs many no slower.

import type { Value } from '../../wit/value.ts';
import type { Codec } from './codec.ts';
import type { AbiContext } from './context.ts';

export type Fields = { [name: string]: Value };

interface Place {
  readonly name: string;
  readonly codec: Codec;
  /** Byte offset within the record. */
  readonly offset: number;
}

type Move = (cx: AbiContext, ptr: number, record: Fields) => void;

/** Reads every field from memory into `record`, in order. */
export function createFieldLoad(places: readonly Place[]): Move {
  const [a, b, c, d] = places;
  if (a === undefined) return () => {};
  const { name: an, offset: ao } = a;
  const al = a.codec.load;
  if (b === undefined) {
    return (cx, ptr, record) => {
      record[an] = al(cx, ptr + ao);
    };
  }
  const { name: bn, offset: bo } = b;
  const bl = b.codec.load;
  if (c === undefined) {
    return (cx, ptr, record) => {
      record[an] = al(cx, ptr + ao);
      record[bn] = bl(cx, ptr + bo);
    };
  }
  const { name: cn, offset: co } = c;
  const cl = c.codec.load;
  if (d === undefined) {
    return (cx, ptr, record) => {
      record[an] = al(cx, ptr + ao);
      record[bn] = bl(cx, ptr + bo);
      record[cn] = cl(cx, ptr + co);
    };
  }
  const { name: dn, offset: d0 } = d;
  const dl = d.codec.load;
  const rest = places.length > 4 ? createFieldLoad(places.slice(4)) : null;
  return (cx, ptr, record) => {
    record[an] = al(cx, ptr + ao);
    record[bn] = bl(cx, ptr + bo);
    record[cn] = cl(cx, ptr + co);
    record[dn] = dl(cx, ptr + d0);
    if (rest !== null) rest(cx, ptr, record);
  };
}

/** Writes every field of `record` to memory. */
export function createFieldStore(places: readonly Place[]): Move {
  const [a, b, c, d] = places;
  if (a === undefined) return () => {};
  const { name: an, offset: ao } = a;
  const as = a.codec.store;
  if (b === undefined) return (cx, ptr, record) => as(cx, ptr + ao, record[an]);
  const { name: bn, offset: bo } = b;
  const bs = b.codec.store;
  if (c === undefined) {
    return (cx, ptr, record) => {
      as(cx, ptr + ao, record[an]);
      bs(cx, ptr + bo, record[bn]);
    };
  }
  const { name: cn, offset: co } = c;
  const cs = c.codec.store;
  if (d === undefined) {
    return (cx, ptr, record) => {
      as(cx, ptr + ao, record[an]);
      bs(cx, ptr + bo, record[bn]);
      cs(cx, ptr + co, record[cn]);
    };
  }
  const { name: dn, offset: d0 } = d;
  const ds = d.codec.store;
  const rest = places.length > 4 ? createFieldStore(places.slice(4)) : null;
  return (cx, ptr, record) => {
    as(cx, ptr + ao, record[an]);
    bs(cx, ptr + bo, record[bn]);
    cs(cx, ptr + co, record[cn]);
    ds(cx, ptr + d0, record[dn]);
    if (rest !== null) rest(cx, ptr, record);
  };
}
