// WIT types as JSON Schema 2020-12, inline: what fits the schema is what from-json.ts takes. Three rules are beyond a
// schema and held by the codec alone: the range of 64-bit integers given as strings (said by `format`), strings without
// lone surrogates (RFC 7493), and unique keys of maps that are arrays of pairs.
// Must never grow without bound: types share parts, schemas repeat them, so the number of nodes is limited.

import { WitboxError } from '../core/errors.ts';
import { BASE64_PATTERN, FLOAT_LIMITS, FLOAT_NAMES, INTEGER_RANGES, LONG_INTEGERS } from './number.ts';
import type { Field, FuncType, ValType } from './type.ts';

/** A JSON Schema; the names in `properties` come from components and are always own properties. */
export interface Schema {
  readonly [keyword: string]: unknown;
}

/** What is known in words about a type and its fields, cases or names. */
export interface TypeDocs {
  readonly docs?: string | undefined;
  readonly items?: ReadonlyMap<string, string> | undefined;
}

export interface SchemaOptions {
  describe?(type: ValType): TypeDocs | undefined;
  /** The most schema nodes to make before giving up. */
  readonly maxNodes?: number;
}

const MAX_NODES = 20_000;

interface Context {
  readonly describe: (type: ValType) => TypeDocs | undefined;
  /** Nodes that may still be made. */
  left: number;
  readonly maxNodes: number;
}

export function typeSchema(type: ValType, options: SchemaOptions = {}): Schema {
  return schemaOf(type, createContext(options));
}

/** Arguments by name. `docs` gives descriptions of parameters. */
export function inputSchema(
  func: FuncType,
  options: SchemaOptions = {},
  docs?: ReadonlyMap<string, string>,
): Schema {
  return objectSchema(func.params, createContext(options), docs);
}

/** What a call gives; null if it gives nothing. The error of a `result` is told as a tool error, not by the schema. */
export function outputSchema(func: FuncType, options: SchemaOptions = {}): Schema | null {
  const type = func.result?.kind === 'result' ? func.result.ok : func.result;
  return type === null ? null : typeSchema(type, options);
}

function createContext(options: SchemaOptions): Context {
  const maxNodes = options.maxNodes ?? MAX_NODES;
  return { describe: (type) => options.describe?.(type), left: maxNodes, maxNodes };
}

function schemaOf(type: ValType, cx: Context): Schema {
  cx.left -= 1 + ('names' in type ? type.names.length : 'cases' in type ? type.cases.length : 0);
  if (cx.left < 0) throw new WitboxError('schema-too-large', { limit: cx.maxNodes });
  const docs = cx.describe(type);
  const schema = bareSchema(type, cx, docs?.items);
  return docs?.docs ? describe(schema, docs.docs) : schema;
}

/** Puts words in front of a schema, and of the words it may have already. */
function describe(schema: Schema, words: string): Schema {
  const { description, ...rest } = schema;
  return { description: description === undefined ? words : `${words}\n\n${description}`, ...rest };
}

function bareSchema(type: ValType, cx: Context, items: ReadonlyMap<string, string> | undefined): Schema {
  switch (type.kind) {
    case 'bool':
      return { type: 'boolean' };
    case 'string':
      return { type: 'string' };
    case 'char':
      return { type: 'string', minLength: 1, maxLength: 1 };
    case 's8':
    case 'u8':
    case 's16':
    case 'u16':
    case 's32':
    case 'u32': {
      const [minimum, maximum] = INTEGER_RANGES[type.kind];
      return { type: 'integer', minimum, maximum };
    }
    case 's64':
    case 'u64': {
      const { safeMin, safeMax, pattern, format } = LONG_INTEGERS[type.kind];
      return {
        anyOf: [
          { type: 'integer', minimum: safeMin, maximum: safeMax },
          { type: 'string', pattern: pattern.source, format },
        ],
      };
    }
    case 'f32':
    case 'f64': {
      const limit = FLOAT_LIMITS[type.kind];
      const number =
        type.kind === 'f32' ? { type: 'number', minimum: -limit, maximum: limit } : { type: 'number' };
      return { anyOf: [number, { enum: FLOAT_NAMES }] };
    }
    case 'list':
      return type.element.kind === 'u8'
        ? bytesSchema()
        : { type: 'array', items: schemaOf(type.element, cx) };
    case 'fixed-list':
      return {
        type: 'array',
        items: schemaOf(type.element, cx),
        minItems: type.length,
        maxItems: type.length,
      };
    case 'tuple':
      return tupleSchema(type.items.map((item) => schemaOf(item, cx)));
    case 'record':
      return objectSchema(type.fields, cx, items);
    case 'variant':
      return { oneOf: type.cases.map((each) => caseSchema(each.name, each.type, cx, items?.get(each.name))) };
    case 'enum':
      return named({ type: 'string', enum: type.names }, type.names, items);
    case 'flags':
      return named(
        { type: 'array', items: { type: 'string', enum: type.names }, uniqueItems: true },
        type.names,
        items,
      );
    case 'option': {
      const some = schemaOf(type.some, cx);
      return { anyOf: [type.some.kind === 'option' ? closed({ some }, ['some']) : some, { type: 'null' }] };
    }
    case 'result':
      return {
        oneOf: (['ok', 'err'] as const).map((key) => {
          const payload = type[key];
          return closed({ [key]: payload === null ? { type: 'null' } : schemaOf(payload, cx) }, [key]);
        }),
      };
    case 'map': {
      const value = schemaOf(type.value, cx);
      if (type.key.kind === 'string') return { type: 'object', additionalProperties: value };
      return { type: 'array', items: tupleSchema([schemaOf(type.key, cx), value]) };
    }
    case 'own':
    case 'borrow':
      return { type: 'string', description: `Handle of a ${type.resource.name ?? 'resource'}` };
    default:
      throw new WitboxError('type-without-json', { type: type.kind });
  }
}

function bytesSchema(): Schema {
  return {
    anyOf: [
      { type: 'string', contentEncoding: 'base64', pattern: BASE64_PATTERN },
      { type: 'array', items: { type: 'integer', minimum: 0, maximum: 255 } },
    ],
  };
}

function tupleSchema(items: readonly Schema[]): Schema {
  return { type: 'array', prefixItems: items, items: false, minItems: items.length, maxItems: items.length };
}

function objectSchema(fields: readonly Field[], cx: Context, docs?: ReadonlyMap<string, string>): Schema {
  const properties = Object.fromEntries(
    fields.map(({ name, type }) => {
      const schema = schemaOf(type, cx);
      const text = docs?.get(name);
      return [name, text ? describe(schema, text) : schema];
    }),
  );
  return closed(
    properties,
    fields.filter((field) => field.type.kind !== 'option').map((field) => field.name),
  );
}

function caseSchema(name: string, type: ValType | null, cx: Context, docs: string | undefined): Schema {
  const tag = { const: name };
  const schema =
    type === null
      ? closed({ tag }, ['tag'])
      : closed({ tag, val: schemaOf(type, cx) }, type.kind === 'option' ? ['tag'] : ['tag', 'val']);
  return docs ? describe(schema, docs) : schema;
}

function closed(properties: Schema, required: readonly string[]): Schema {
  const schema: Schema = { type: 'object', properties, additionalProperties: false };
  return required.length === 0 ? schema : { ...schema, required };
}

/** JSON Schema has no place for words about single names of an enum, so they go into the description. */
function named(
  schema: Schema,
  names: readonly string[],
  items: ReadonlyMap<string, string> | undefined,
): Schema {
  const lines = names.filter((name) => items?.has(name)).map((name) => `${name}: ${items?.get(name)}`);
  return lines.length === 0 ? schema : describe(schema, lines.join('\n'));
}
