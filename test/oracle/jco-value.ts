// Between our values and those of jco's generated code, by type: camel-case names, objects of booleans for flags,
// tagged options only where options nest, and results that throw where they are a function's own result.

import type { FuncType, ValType } from '../../src/wit/type.ts';
import type { Value } from '../../src/wit/value.ts';

export function camel(name: string): string {
  const [first = '', ...rest] = name.toLowerCase().split('-');
  return first + rest.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

type Tagged = { tag: string; val?: Value };

export function toJco(type: ValType, value: Value): unknown {
  switch (type.kind) {
    case 'list':
      return ArrayBuffer.isView(value) ? value : (value as Value[]).map((item) => toJco(type.element, item));
    case 'tuple':
      return type.items.map((item, i) => toJco(item, (value as Value[])[i]));
    case 'record': {
      const record = value as Record<string, Value>;
      return Object.fromEntries(
        type.fields.map((field) => [camel(field.name), toJco(field.type, record[field.name])]),
      );
    }
    case 'flags':
      return Object.fromEntries(type.names.map((name) => [camel(name), (value as string[]).includes(name)]));
    case 'variant': {
      const { tag, val } = value as Tagged;
      const payload = type.cases.find((known) => known.name === tag)?.type;
      return payload ? { tag, val: toJco(payload, val) } : { tag };
    }
    case 'result': {
      const { tag, val } = value as Tagged;
      const payload = tag === 'ok' ? type.ok : type.err;
      return { tag, val: payload ? toJco(payload, val) : undefined };
    }
    case 'option':
      if (type.some.kind !== 'option') return value === undefined ? undefined : toJco(type.some, value);
      if (value === undefined) return { tag: 'none' };
      return { tag: 'some', val: toJco(type.some, (value as { some: Value }).some) };
    default:
      return value;
  }
}

export function fromJco(type: ValType, value: unknown): unknown {
  switch (type.kind) {
    case 'list':
      return Array.from(value as Iterable<unknown>, (item) => fromJco(type.element, item));
    case 'tuple':
      return type.items.map((item, i) => fromJco(item, (value as unknown[])[i]));
    case 'record': {
      const record = value as Record<string, unknown>;
      return Object.fromEntries(
        type.fields.map(({ name, type: of }) => [name, fromJco(of, record[camel(name)])]),
      );
    }
    case 'flags':
      return type.names.filter((name) => (value as Record<string, boolean>)[camel(name)]);
    case 'variant':
    case 'result': {
      const { tag, val } = value as { tag: string; val: unknown };
      const payload =
        type.kind === 'variant'
          ? type.cases.find((known) => known.name === tag)?.type
          : tag === 'ok'
            ? type.ok
            : type.err;
      return payload ? { tag, val: fromJco(payload, val) } : { tag };
    }
    case 'option': {
      if (type.some.kind !== 'option') return value === undefined ? undefined : fromJco(type.some, value);
      const { tag, val } = value as { tag: string; val: unknown };
      return tag === 'none' ? undefined : { some: fromJco(type.some, val) };
    }
    default:
      return value;
  }
}

/** Calls generated code and gives the result in our form, whether it was returned or thrown. */
export function callJco(
  func: (...args: unknown[]) => unknown,
  type: FuncType,
  args: readonly Value[],
): unknown {
  const given = type.params.map((param, i) => toJco(param.type, args[i]));
  const { result } = type;
  if (result?.kind !== 'result') {
    const returned = func(...given);
    return result === null ? undefined : fromJco(result, returned);
  }
  try {
    const ok = func(...given);
    return result.ok === null ? { tag: 'ok' } : { tag: 'ok', val: fromJco(result.ok, ok) };
  } catch (error) {
    if (!(error instanceof Error && 'payload' in error)) throw error;
    return result.err === null ? { tag: 'err' } : { tag: 'err', val: fromJco(result.err, error.payload) };
  }
}

/**
 * Our own results with lists of numbers as plain arrays, to be compared with `fromJco`. A U+FEFF at the start of a
 * string is kept by the engine, and taken for a byte order mark by generated code.
 */
export function plain(value: Value): unknown {
  if (typeof value === 'string') return value.length > 1 ? value.replace(/^\uFEFF/, '') : value;
  if (ArrayBuffer.isView(value) && !(value instanceof DataView)) return Array.from(value as never);
  if (Array.isArray(value)) return value.map(plain);
  if (value !== null && typeof value === 'object') {
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, plain(member as Value)]));
  }
  return value;
}
