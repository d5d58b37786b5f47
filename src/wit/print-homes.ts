// Which interface introduced a type, so that others can `use` it. A binary repeats types: names that were one type in
// the source are found by shared parts, else by equal name and structure, which in components is the same type.

import { nominalKey, packageOf, parseInterfaceName } from './name.ts';
import type { DefinedType, ExternType, ValType } from './type.ts';

/** Items of an interface; a name can come twice, from the imported and the exported side. */
export type Items = readonly (readonly [string, ExternType])[];

export interface Home {
  readonly interfaceName: string;
  /** Interfaces come in an order in which each uses only earlier ones. */
  readonly order: number;
  readonly name: string;
}

export interface Homes {
  /**
   * The earliest home. A type that is called `name` may be one of equal structure and name, but only within a package:
   * packages that use each other in a circle are not WIT.
   */
  find(type: DefinedType, name: string | null, packageName: string | null): Home | null;
}

/** What tells named types apart; null for types that are written out. */
export function typeKey(type: DefinedType): object | null {
  return type.kind === 'resource' ? type.type : type.kind === 'value' ? nominalKey(type.type) : null;
}

export function createHomes(interfaces: ReadonlyMap<string, Items>): Homes {
  const byKey = new Map<object, Home>();
  const byShape = new Map<string, Home>();
  const shapeOf = createShapes();
  const spelling = (type: DefinedType, name: string, packageName: string | null): string | null =>
    type.kind === 'value' && packageName !== null ? `${packageName} ${name} ${shapeOf(type.type)}` : null;
  for (const [order, [interfaceName, items]] of [...interfaces].entries()) {
    const parsed = parseInterfaceName(interfaceName);
    const packageName = parsed && packageOf(parsed);
    for (const [name, item] of items) {
      if (item.kind !== 'type') continue;
      const key = typeKey(item.type);
      const shape = spelling(item.type, name, packageName);
      const home = { interfaceName, order, name };
      if (key && !byKey.has(key)) byKey.set(key, home);
      if (key && shape && !byShape.has(shape)) byShape.set(shape, home);
    }
  }
  return {
    find(type, name, packageName) {
      const known = byKey.get(typeKey(type)!);
      const shape = name === null ? null : spelling(type, name, packageName);
      const alike = shape === null ? undefined : byShape.get(shape);
      if (known && alike) return alike.order < known.order ? alike : known;
      return known ?? alike ?? null;
    },
  };
}

/** Numbers structures: equal number, equal structure. Every type is looked at once, however often it is shared. */
function createShapes(): (type: ValType) => number {
  const numbers = new Map<string, number>();
  const memo = new Map<object, number>();
  const resources = new Map<object, number>();
  const numberOf = <K>(map: Map<K, number>, key: K): number => {
    const number = map.get(key) ?? map.size;
    map.set(key, number);
    return number;
  };
  const shape = (type: ValType | null): number => {
    if (type === null) return -1;
    const known = memo.get(type);
    if (known !== undefined) return known;
    const number = numberOf(numbers, JSON.stringify([type.kind, parts(type)]));
    memo.set(type, number);
    return number;
  };
  const parts = (type: ValType): unknown => {
    switch (type.kind) {
      case 'record':
        return type.fields.map((field) => [field.name, shape(field.type)]);
      case 'variant':
        return type.cases.map((each) => [each.name, shape(each.type)]);
      case 'enum':
      case 'flags':
        return type.names;
      case 'tuple':
        return type.items.map(shape);
      case 'list':
      case 'stream':
      case 'future':
        return shape(type.element);
      case 'fixed-list':
        return [shape(type.element), type.length];
      case 'option':
        return shape(type.some);
      case 'result':
        return [shape(type.ok), shape(type.err)];
      case 'map':
        return [shape(type.key), shape(type.value)];
      case 'own':
      case 'borrow':
        return numberOf(resources, type.resource);
      default:
        return null;
    }
  };
  return shape;
}
