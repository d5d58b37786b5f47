// Component value → JSON: each type is compiled once into closures. What comes out fits the type's schema and reads
// back as the same value, as long as minus zero is written as such (`-0`; JSON.stringify writes `0`).
// Values come from the engine, yet forms are checked: a mistake must fail here, not reach a client as nonsense.

import { WitboxError } from '../core/errors.ts';
import type { HandleTable } from './handle.ts';
import { at, misfit } from './misfit.ts';
import { INTEGER_RANGES, LONG_INTEGERS, shortestFloat32 } from './number.ts';
import { setOwn } from './own.ts';
import type { Case, Field, ValType } from './type.ts';
import type { Value } from './value.ts';

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** Throws a Misfit. */
export type Writer = (value: Value) => Json;

export type WriterMemo = Map<ValType, Writer>;

export function compileWriter(type: ValType, handles: HandleTable, memo: WriterMemo = new Map()): Writer {
  const known = memo.get(type);
  if (known) return known;
  const writer = makeWriter(type, handles, (inner) => compileWriter(inner, handles, memo));
  memo.set(type, writer);
  return writer;
}

function makeWriter(type: ValType, handles: HandleTable, compile: (type: ValType) => Writer): Writer {
  switch (type.kind) {
    case 'bool':
      return (value) => {
        if (typeof value !== 'boolean') throw misfit('a boolean', value);
        return value;
      };
    case 'char':
    case 'string':
      return writeString;
    case 's8':
    case 'u8':
    case 's16':
    case 'u16':
    case 's32':
    case 'u32':
      return integerWriter(INTEGER_RANGES[type.kind]);
    case 's64':
    case 'u64':
      return longWriter(type.kind);
    case 'f32':
    case 'f64':
      return floatWriter(type.kind);
    case 'list':
      return type.element.kind === 'u8' ? writeBytes : listWriter(compile(type.element));
    case 'fixed-list':
      return sizedWriter(listWriter(compile(type.element)), type.length);
    case 'tuple': {
      const items = type.items.map(compile);
      return sizedWriter((value) => writeElements(value, (item, i) => items[i]!(item)), items.length);
    }
    case 'record':
      return recordWriter(type.fields, compile);
    case 'variant':
      return variantWriter(type.cases, compile);
    case 'enum': {
      const known = new Set<Value>(type.names);
      return (value) => {
        if (!known.has(value)) throw misfit('a name of the enum', value);
        return value as string;
      };
    }
    case 'flags': {
      const known = new Set<Value>(type.names);
      return listWriter((value) => {
        if (!known.has(value)) throw misfit('a name of the flags', value);
        return value as string;
      });
    }
    case 'option': {
      const write = compile(type.some);
      const nested = type.some.kind === 'option';
      return (value) => {
        if (value === undefined) return null;
        return nested ? { some: write(property(value, 'some')) } : write(value);
      };
    }
    case 'result':
      return resultWriter(type.ok && compile(type.ok), type.err && compile(type.err));
    case 'map':
      return mapWriter(type.key.kind === 'string' ? null : compile(type.key), compile(type.value));
    case 'own':
    case 'borrow':
      return (value) => handles.give(value, type.resource);
    default:
      throw new WitboxError('type-without-json', { type: type.kind });
  }
}

function writeString(value: Value): string {
  if (typeof value !== 'string') throw misfit('a string', value);
  return value;
}

function integerWriter([min, max]: readonly [number, number]): Writer {
  return (value) => {
    if (typeof value !== 'number' || !Number.isInteger(value) || value < min || value > max) {
      throw misfit(`an integer from ${min} to ${max}`, value);
    }
    return value;
  };
}

function longWriter(kind: 's64' | 'u64'): Writer {
  const { min, max, safeMin, safeMax } = LONG_INTEGERS[kind];
  return (value) => {
    if (typeof value !== 'bigint' || value < min || value > max) {
      throw misfit(`a bigint from ${min} to ${max}`, value);
    }
    return value >= safeMin && value <= safeMax ? Number(value) : String(value);
  };
}

function floatWriter(kind: 'f32' | 'f64'): Writer {
  return (value) => {
    if (typeof value !== 'number') throw misfit('a number', value);
    if (!Number.isFinite(value)) return String(value);
    return kind === 'f32' ? shortestFloat32(value) : value;
  };
}

function writeBytes(value: Value): string {
  if (value instanceof Uint8Array) {
    return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64');
  }
  if (!Array.isArray(value)) throw misfit('bytes', value);
  return Buffer.from(writeElements(value, writeByte) as number[]).toString('base64');
}

const writeByte = integerWriter(INTEGER_RANGES.u8);

/** Lists of numbers may be typed arrays, see value.ts. */
function writeElements(value: Value, write: (item: Value, index: number) => Json): Json[] {
  if (!Array.isArray(value) && !(ArrayBuffer.isView(value) && 'length' in value))
    throw misfit('a list', value);
  const items = value as ArrayLike<Value>;
  const json = new Array<Json>(items.length);
  let i = 0;
  try {
    for (; i < items.length; i++) json[i] = write(items[i], i);
  } catch (error) {
    throw at(i, error);
  }
  return json;
}

function listWriter(write: Writer): (value: Value) => Json[] {
  return (value) => writeElements(value, write);
}

function sizedWriter(write: Writer, length: number): Writer {
  return (value) => {
    const found = (value as ArrayLike<Value> | undefined)?.length;
    if (found !== length) throw misfit(`a list of ${length}`, value);
    return write(value);
  };
}

/** Own properties only: a field may be called `constructor`. */
function property(value: Value, name: string): Value {
  if (typeof value !== 'object' || value === null) throw misfit('an object', value);
  return Object.hasOwn(value, name) ? (value as { readonly [name: string]: Value })[name] : undefined;
}

function recordWriter(fields: readonly Field[], compile: (type: ValType) => Writer): Writer {
  const steps = fields.map(({ name, type }) => ({
    name,
    write: compile(type),
    inherited: name in Object.prototype,
  }));
  return (value) => {
    if (typeof value !== 'object' || value === null) throw misfit('an object', value);
    const json: Record<string, Json> = {};
    for (let i = 0; i < steps.length; i++) {
      const { name, write, inherited } = steps[i]!;
      try {
        const held = inherited ? property(value, name) : (value as Record<string, Value>)[name];
        setOwn(json, name, write(held));
      } catch (error) {
        throw at(name, error);
      }
    }
    return json;
  };
}

function variantWriter(cases: readonly Case[], compile: (type: ValType) => Writer): Writer {
  const byName = new Map<Value, Writer | null>(cases.map(({ name, type }) => [name, type && compile(type)]));
  return (value) => {
    const tag = property(value, 'tag');
    const write = byName.get(tag);
    if (write === undefined) throw at('tag', misfit('a case of the variant', tag));
    if (write === null) return { tag: tag as string };
    try {
      return { tag: tag as string, val: write(property(value, 'val')) };
    } catch (error) {
      throw at('val', error);
    }
  };
}

function resultWriter(ok: Writer | null, err: Writer | null): Writer {
  const payload = { ok, err };
  return (value) => {
    const tag = property(value, 'tag');
    if (tag !== 'ok' && tag !== 'err') throw at('tag', misfit('ok or err', tag));
    const write = payload[tag];
    try {
      return { [tag]: write ? write(property(value, 'val')) : null };
    } catch (error) {
      throw at(tag, error);
    }
  };
}

/** Of equal keys the last one counts, as the specification says of maps. */
function mapWriter(writeKey: Writer | null, write: Writer): Writer {
  return (value) => {
    const pairs = new Map<Value, readonly [Json, Json]>();
    writeElements(value, (item) => {
      const [key, held] = item as readonly Value[];
      pairs.set(key, [(writeKey ?? writeString)(key), write(held)]);
      return null;
    });
    const entries = [...pairs.values()];
    return writeKey ? entries : Object.fromEntries(entries as (readonly [string, Json])[]);
  };
}
