// Component types as a table of plain data, and back. An entry is [kind, …] and points to other types by their place in
// the table, which is always an earlier one. Resources are told apart by number.

import type { WireValue } from '../core/port.ts';
import type { PrimitiveKind, ResourceType, ValType } from '../wit/type.ts';
import { malformed } from './wire/from-cell.ts';

const PRIMITIVES: ReadonlySet<string> = new Set<PrimitiveKind>([
  'bool',
  's8',
  'u8',
  's16',
  'u16',
  's32',
  'u32',
  's64',
  'u64',
  'f32',
  'f64',
  'char',
  'string',
  'error-context',
]);
const MOST_DEPTH = 100;

export interface TypeWriter {
  readonly table: WireValue[];
  /** The place of a type in the table. */
  add(type: ValType): number;
}

export function createTypeWriter(): TypeWriter {
  const table: WireValue[] = [];
  const places = new Map<ValType, number>();
  const resources = new Map<ResourceType, number>();

  const resource = (type: ResourceType): WireValue[] => {
    const known = resources.get(type) ?? resources.size;
    resources.set(type, known);
    return [known, type.name ?? ''];
  };
  const optional = (type: ValType | null): WireValue => (type === null ? null : add(type));
  const entry = (type: ValType): WireValue[] => {
    switch (type.kind) {
      case 'record':
        return type.fields.map((field) => [field.name, add(field.type)]);
      case 'variant':
        return type.cases.map((each) => [each.name, optional(each.type)]);
      case 'list':
        return [add(type.element)];
      case 'fixed-list':
        return [add(type.element), type.length];
      case 'tuple':
        return type.items.map(add);
      case 'flags':
      case 'enum':
        return [...type.names];
      case 'option':
        return [add(type.some)];
      case 'result':
        return [optional(type.ok), optional(type.err)];
      case 'map':
        return [add(type.key), add(type.value)];
      case 'own':
      case 'borrow':
        return resource(type.resource);
      case 'stream':
      case 'future':
        return [optional(type.element)];
      default:
        return [];
    }
  };
  const add = (type: ValType): number => {
    const known = places.get(type);
    if (known !== undefined) return known;
    const row = [type.kind, ...entry(type)];
    places.set(type, table.length);
    return table.push(row) - 1;
  };
  return { table, add };
}

/** Reads the table once and gives the type at a place. */
export function createTypeReader(table: readonly WireValue[]): (place: WireValue | undefined) => ValType {
  const types: { readonly type: ValType; readonly depth: number }[] = [];
  const resources = new Map<number, ResourceType>();
  let depth = 0;

  const at = (place: WireValue | undefined): ValType => {
    const found = typeof place === 'number' ? types[place] : undefined;
    if (found === undefined) return malformed('a type that is not there');
    depth = Math.max(depth, found.depth);
    return found.type;
  };
  const optional = (place: WireValue | undefined): ValType | null => (place === null ? null : at(place));
  const text = (value: WireValue | undefined): string =>
    typeof value === 'string' ? value : malformed('a type without a name');
  const pair = (value: WireValue): readonly [string, WireValue] => {
    if (!Array.isArray(value) || value.length !== 2) return malformed('a type with a broken part');
    return [text(value[0]), value[1] as WireValue];
  };
  const count = (value: WireValue | undefined): number =>
    typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < 2 ** 32
      ? value
      : malformed('a type with a broken number');
  const resource = (number: number, name: string): ResourceType => {
    const known = resources.get(number) ?? { slot: number, name };
    resources.set(number, known);
    return known;
  };

  const read = (kind: WireValue | undefined, parts: readonly WireValue[]): ValType => {
    const [first, second] = parts;
    switch (kind) {
      case 'record':
        return { kind, fields: parts.map(pair).map(([name, type]) => ({ name, type: at(type) })) };
      case 'variant':
        return { kind, cases: parts.map(pair).map(([name, type]) => ({ name, type: optional(type) })) };
      case 'list':
        return { kind, element: at(first) };
      case 'fixed-list':
        return { kind, element: at(first), length: count(second) };
      case 'tuple':
        return { kind, items: parts.map(at) };
      case 'flags':
      case 'enum':
        return { kind, names: parts.map(text) };
      case 'option':
        return { kind, some: at(first) };
      case 'result':
        return { kind, ok: optional(first), err: optional(second) };
      case 'map':
        return { kind, key: at(first), value: at(second) };
      case 'own':
      case 'borrow':
        return { kind, resource: resource(count(first), text(second)) };
      case 'stream':
      case 'future':
        return { kind, element: optional(first) };
      default:
        if (typeof kind === 'string' && PRIMITIVES.has(kind)) return { kind: kind as PrimitiveKind };
        return malformed('a type of unknown kind');
    }
  };

  for (const row of table) {
    if (!Array.isArray(row)) malformed('a type that is no list');
    const [kind, ...parts] = row as readonly WireValue[];
    depth = 0;
    const type = read(kind, parts);
    if (depth >= MOST_DEPTH) malformed('a type that is nested too deeply');
    types.push({ type, depth: depth + 1 });
  }
  return at;
}
