// Shapes made of shapes: lists, one of several, a value or none.

import { isScalar, isSeq, type Node } from '../policy/yaml.ts';
import { isEmpty, readKeys } from './keys.ts';
import type { Shape, ValueOf } from './shape.ts';

const MAX_ITEMS = 1_000;

type OneKey<S> = { [K in keyof S]: { readonly [N in K]: ValueOf<S[N]> } }[keyof S];

/** Exactly one of the keys. */
export function oneOf<const S extends Readonly<Record<string, Shape<unknown>>>>(shapes: S): Shape<OneKey<S>> {
  const known = Object.keys(shapes);
  return {
    schema: {
      type: 'object',
      properties: Object.fromEntries(Object.entries(shapes).map(([key, { schema }]) => [key, schema])),
      additionalProperties: false,
      minProperties: 1,
      maxProperties: 1,
    },
    read(node, place) {
      const nodes = [...readKeys(node, place, known)];
      const [first] = nodes;
      if (first === undefined || nodes.length > 1)
        return place.fail(node, `${place.path} must have one of ${known.join(', ')}`);
      const [name, { key, value }] = first;
      return { [name]: shapes[name]!.read(value, place.at(name, key)) } as OneKey<S>;
    },
    write: (one) =>
      Object.fromEntries(Object.entries(one).map(([name, value]) => [name, shapes[name]!.write(value)])),
  };
}

export function list<T>(item: Shape<T>, { least = 0 } = {}): Shape<readonly T[]> {
  return {
    schema: {
      type: least === 0 ? ['array', 'null'] : 'array',
      items: item.schema,
      maxItems: MAX_ITEMS,
      ...(least > 0 && { minItems: least }),
    },
    read(node, place) {
      const items = isEmpty(node)
        ? []
        : isSeq(node)
          ? (node.items as Node[])
          : place.fail(node, `${place.path} must be a list`);
      if (items.length < least) place.fail(node, `${place.path} must not be empty`);
      if (items.length > MAX_ITEMS) place.fail(node, `${place.path} has more than ${MAX_ITEMS} items`);
      return items.flatMap((one, i) => {
        const read = place.attempt(() => ({ value: item.read(one, place.at(i, one)) }));
        return read === undefined ? [] : [read.value];
      });
    },
    write: (items) => items.map((one) => item.write(one) ?? null),
  };
}

/** What has no bound, or is not there, is `none`. */
export function orNone<T>(shape: Shape<T>): Shape<T | null> {
  return {
    schema: { anyOf: [{ const: 'none' }, shape.schema] },
    read: (node, place) => (isScalar(node) && node.value === 'none' ? null : shape.read(node, place)),
    write: (value) => (value === null ? 'none' : shape.write(value)),
  };
}

/** The same, where absence is all that says so. */
export function optional<T>(shape: Shape<T>): Shape<T | undefined> {
  return { ...shape, write: (value) => (value === undefined ? undefined : shape.write(value)) };
}
