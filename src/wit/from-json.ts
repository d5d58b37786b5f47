// JSON → component value: each type is compiled once into closures, then every value is read strictly. Nothing is
// guessed or rounded away: a number out of range, an unknown field, a lone surrogate or a second equal key is refused
// with its place. Input is hostile: only own properties are looked at, and recursion is as deep as the type, not the
// input. Must never put a name from the input on an object it makes.

import { WitboxError } from '../core/errors.ts';
import type { HandleTable } from './handle.ts';
import { at, Misfit, misfit, quote } from './misfit.ts';
import { INTEGER_RANGES } from './number.ts';
import { setOwn } from './own.ts';
import {
  floatReader,
  integerReader,
  longReader,
  type Reader,
  readBytes,
  readChar,
  readString,
} from './scalar-from-json.ts';
import type { Case, Field, ValType } from './type.ts';
import type { Value } from './value.ts';

/** Types share parts; compiled once each, the work is bounded by the type as written in the binary. */
export type ReaderMemo = Map<ValType, Reader>;

export function compileReader(type: ValType, handles: HandleTable, memo: ReaderMemo = new Map()): Reader {
  const known = memo.get(type);
  if (known) return known;
  const reader = makeReader(type, handles, (inner) => compileReader(inner, handles, memo));
  memo.set(type, reader);
  return reader;
}

function makeReader(type: ValType, handles: HandleTable, compile: (type: ValType) => Reader): Reader {
  switch (type.kind) {
    case 'bool':
      return (json) => {
        if (typeof json !== 'boolean') throw misfit('true or false', json);
        return json;
      };
    case 'string':
      return readString;
    case 'char':
      return readChar;
    case 's8':
    case 'u8':
    case 's16':
    case 'u16':
    case 's32':
    case 'u32':
      return integerReader(INTEGER_RANGES[type.kind]);
    case 's64':
    case 'u64':
      return longReader(type.kind);
    case 'f32':
    case 'f64':
      return floatReader(type.kind);
    case 'list':
      return type.element.kind === 'u8' ? readBytes : listReader(compile(type.element), null);
    case 'fixed-list':
      return listReader(compile(type.element), type.length);
    case 'tuple':
      return tupleReader(type.items.map(compile));
    case 'record': {
      const read = fieldsReader(type.fields, compile);
      const names = type.fields.map((field) => field.name);
      return (json) => {
        const values = read(json);
        const record: Record<string, Value> = {};
        for (let i = 0; i < names.length; i++) setOwn(record, names[i]!, values[i]);
        return record;
      };
    }
    case 'variant':
      return variantReader(type.cases, compile);
    case 'enum':
      return enumReader(type.names);
    case 'flags':
      return flagsReader(type.names);
    case 'option':
      return optionReader(type.some, compile);
    case 'result':
      return resultReader(type.ok && compile(type.ok), type.err && compile(type.err));
    case 'map':
      return type.key.kind === 'string'
        ? objectMapReader(compile(type.value))
        : pairMapReader(tupleReader([compile(type.key), compile(type.value)]));
    case 'own':
    case 'borrow': {
      const { kind, resource } = type;
      return (json) => {
        const handle = typeof json === 'string' ? handles.take(json, resource, kind) : undefined;
        if (handle === undefined) throw misfit(`a live handle of a ${resource.name ?? 'resource'}`, json);
        return handle;
      };
    }
    default:
      throw new WitboxError('type-without-json', { type: type.kind });
  }
}

function readElements(json: readonly unknown[], read: Reader): Value[] {
  const values = new Array<Value>(json.length);
  let i = 0;
  try {
    for (; i < json.length; i++) values[i] = read(json[i]);
  } catch (error) {
    throw at(i, error);
  }
  return values;
}

function listReader(read: Reader, length: number | null): Reader {
  return (json) => {
    if (!Array.isArray(json)) throw misfit('an array', json);
    if (length !== null && json.length !== length) throw misfit(`an array of ${length}`, json);
    return readElements(json, read);
  };
}

function tupleReader(items: readonly Reader[]): (json: unknown) => Value[] {
  return (json) => {
    if (!Array.isArray(json) || json.length !== items.length)
      throw misfit(`an array of ${items.length}`, json);
    let i = 0;
    return readElements(json, (item) => items[i++]!(item));
  };
}

/** The fields of an object in their order; fields of type option may be left out. Used for arguments too. */
export function fieldsReader(
  fields: readonly Field[],
  compile: (type: ValType) => Reader,
): (json: unknown) => Value[] {
  const steps = fields.map(({ name, type }) => ({
    name,
    read: compile(type),
    optional: type.kind === 'option',
    inherited: name in Object.prototype,
  }));
  return (json) => {
    const object = readObject(json);
    const values = new Array<Value>(steps.length);
    let found = 0;
    for (let i = 0; i < steps.length; i++) {
      const { name, read, optional, inherited } = steps[i]!;
      const given = inherited && !Object.hasOwn(object, name) ? undefined : object[name];
      if (given === undefined) {
        if (!optional) throw unknownField(object, fields) ?? at(name, new Misfit('required, but missing'));
        values[i] = undefined;
        continue;
      }
      found += 1;
      try {
        values[i] = read(given);
      } catch (error) {
        throw at(name, error);
      }
    }
    // As many keys as fields were found: nothing unknown. The search is for the error only.
    if (Object.keys(object).length !== found) throw unknownField(object, fields) ?? misfit('JSON', json);
    return values;
  };
}

function unknownField(object: object, fields: readonly Field[]): unknown {
  const names = fields.map((field) => field.name);
  const key = Object.keys(object).find((each) => !names.includes(each));
  return key === undefined ? null : at(key, new Misfit(`unknown field, ${listed(names)}`));
}

function readObject(json: unknown): { readonly [key: string]: unknown } {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) throw misfit('an object', json);
  return json as { readonly [key: string]: unknown };
}

function variantReader(cases: readonly Case[], compile: (type: ValType) => Reader): Reader {
  const byName = new Map(
    cases.map(({ name, type }) => [name, { read: type && compile(type), optional: type?.kind === 'option' }]),
  );
  return (json) => {
    const object = readObject(json);
    const tag = Object.hasOwn(object, 'tag') ? object.tag : undefined;
    const found = typeof tag === 'string' ? byName.get(tag) : undefined;
    if (!found) throw at('tag', misfit(oneOf([...byName.keys()]), tag));
    for (const key of Object.keys(object)) {
      if (key !== 'tag' && (key !== 'val' || !found.read)) {
        throw at(
          key,
          new Misfit(found.read ? 'unknown field, known are tag and val' : `${quote(tag)} carries no value`),
        );
      }
    }
    if (!found.read) return { tag: tag as string };
    if (!Object.hasOwn(object, 'val')) {
      if (found.optional) return { tag: tag as string, val: undefined };
      throw at('val', new Misfit('required, but missing'));
    }
    try {
      return { tag: tag as string, val: found.read(object.val) };
    } catch (error) {
      throw at('val', error);
    }
  };
}

function enumReader(names: readonly string[]): Reader {
  const known = new Set<unknown>(names);
  return (json) => {
    if (!known.has(json)) throw misfit(oneOf(names), json);
    return json as string;
  };
}

/** In the order of declaration, whatever the order given: flags are a set. */
function flagsReader(names: readonly string[]): Reader {
  const read = enumReader(names);
  return (json) => {
    if (!Array.isArray(json)) throw misfit('an array of names', json);
    const given = new Set<Value>();
    readElements(json, (item) => {
      const name = read(item);
      if (given.has(name)) throw misfit('each name once', item);
      given.add(name);
      return name;
    });
    return names.filter((name) => given.has(name));
  };
}

function optionReader(some: ValType, compile: (type: ValType) => Reader): Reader {
  const read = compile(some);
  if (some.kind !== 'option') return (json) => (json === null ? undefined : read(json));
  const readSome = fieldsReader([{ name: 'some', type: some }], () => read);
  return (json) => {
    if (json === null) return undefined;
    // Left out would be none of the inner option elsewhere; here it would be too easy to take for none of the outer.
    if (!Object.hasOwn(readObject(json), 'some')) throw at('some', new Misfit('required, but missing'));
    return { some: readSome(json)[0] };
  };
}

function resultReader(ok: Reader | null, err: Reader | null): Reader {
  const payload = { ok, err };
  return (json) => {
    const keys = Object.keys(readObject(json));
    const tag = keys[0];
    if (keys.length !== 1 || (tag !== 'ok' && tag !== 'err'))
      throw misfit('an object with either ok or err', json);
    const read = payload[tag];
    const given = (json as Record<string, unknown>)[tag];
    try {
      if (read) return { tag, val: read(given) };
      if (given !== null) throw misfit('null', given);
      return { tag };
    } catch (error) {
      throw at(tag, error);
    }
  };
}

function objectMapReader(read: Reader): Reader {
  return (json) =>
    Object.entries(readObject(json)).map(([key, value]) => {
      try {
        return [readString(key), read(value)];
      } catch (error) {
        throw at(key, error);
      }
    });
}

function pairMapReader(readPair: (json: unknown) => Value[]): Reader {
  return (json) => {
    if (!Array.isArray(json)) throw misfit('an array of pairs', json);
    const keys = new Set<Value>();
    return readElements(json, (item) => {
      const pair = readPair(item);
      if (keys.has(pair[0])) throw new Misfit(`expected each key once, got ${quote(pair[0])} again`);
      keys.add(pair[0]);
      return pair;
    });
  };
}

function oneOf(names: readonly string[]): string {
  return `one of ${shown(names)}`;
}

function listed(names: readonly string[]): string {
  return names.length === 0 ? 'none is known here' : `known are ${shown(names)}`;
}

function shown(names: readonly string[]): string {
  const text = names.slice(0, 20).join(', ');
  return names.length > 20 ? `${text} and ${names.length - 20} more` : text;
}
