// A mapping with known keys: each with its shape, what it is for, and what its absence means.

import type { Json, JsonObject } from '../core/json.ts';
import { nameOf, readKeys } from './keys.ts';
import type { Shape } from './shape.ts';

/** One key of a mapping: its shape, what it is for, and what its absence means. */
export interface Field<T> {
  readonly shape: Shape<T>;
  readonly doc: string;
  /** As the document has it, if that is not the property's name in kebab case. */
  readonly key?: string;
  readonly absent: { readonly value: T } | 'required';
}

export interface Section<T> extends Shape<T> {
  /** What a mapping without keys means. */
  readonly empty: T;
}

export const field = <T>(shape: Shape<T>, absent: T, doc: string, key?: string): Field<T> => ({
  shape,
  doc,
  absent: { value: absent },
  ...(key !== undefined && { key }),
});

export const needed = <T>(shape: Shape<T>, doc: string): Field<T> => ({ shape, doc, absent: 'required' });

/** A mapping in a mapping: absent means empty. */
export const part = <T>(shape: Section<T>, doc: string): Field<T> => field(shape, shape.empty, doc);

type Fields = Readonly<Record<string, Field<unknown>>>;
type FieldValue<F> = F extends Field<infer T> ? T : never;
type MayLack<F> = { [K in keyof F]: undefined extends FieldValue<F[K]> ? K : never }[keyof F];

/** A field whose value may be undefined is a property that may be absent. */
export type Values<F> = { readonly [K in Exclude<keyof F, MayLack<F>>]: FieldValue<F[K]> } & {
  readonly [K in MayLack<F>]?: Exclude<FieldValue<F[K]>, undefined>;
};

export function section<const F extends Fields>(fields: F): Section<Values<F>> {
  const entries = Object.entries(fields).map(([name, one]) => ({
    name,
    key: one.key ?? kebab(name),
    ...one,
  }));
  const known = entries.map(({ key }) => key);
  const required = entries.filter(({ absent }) => absent === 'required').map(({ key }) => key);
  const value = (given: ReadonlyMap<string, unknown>): Values<F> =>
    Object.fromEntries(
      entries.flatMap(({ name, key, absent }) => {
        const found = given.has(key) ? given.get(key) : absent === 'required' ? undefined : absent.value;
        return found === undefined ? [] : [[name, found]];
      }),
    ) as Values<F>;

  return {
    empty: value(new Map()),
    schema: {
      type: required.length === 0 ? ['object', 'null'] : 'object',
      properties: Object.fromEntries(entries.map((one) => [one.key, fieldSchema(one)])),
      additionalProperties: false,
      ...(required.length > 0 && { required }),
    },
    read(node, place) {
      const nodes = readKeys(node, place, known);
      const given = new Map<string, unknown>();
      for (const { key, shape, absent } of entries) {
        const found = nodes.get(key);
        if (found !== undefined) {
          const inner = place.at(key, found.key);
          inner.written(found.key);
          given.set(
            key,
            place.attempt(() => shape.read(found.value, inner)),
          );
        } else if (absent === 'required') {
          place.attempt(() => place.fail(node, `${nameOf(place)} must have ${key}`));
        }
      }
      return value(given);
    },
    write(from) {
      const found = entries.flatMap(({ name, key, shape }) => {
        const value = (from as Readonly<Record<string, unknown>>)[name];
        const json = value === undefined ? undefined : shape.write(value);
        return json === undefined ? [] : [[key, json] as const];
      });
      return Object.fromEntries(found);
    },
  };
}

function fieldSchema({ shape, doc, absent }: Field<unknown>): JsonObject {
  const value: Json | undefined =
    absent === 'required' || absent.value === undefined ? undefined : shape.write(absent.value);
  return {
    description: doc,
    ...shape.schema,
    ...(value !== undefined && !isMapping(value) && { default: value }),
  };
}

const isMapping = (value: Json): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const kebab = (text: string): string => text.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
