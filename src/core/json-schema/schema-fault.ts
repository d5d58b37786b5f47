// Is this a schema at all? The shape of every keyword, checked before the schema is used or shown to anybody.

import { isRecord, type JsonRecord } from './json.ts';
import type { Schema } from './references.ts';
import { createValidator } from './validate.ts';

const TYPES = ['null', 'boolean', 'object', 'array', 'number', 'string', 'integer'];
const ONE = [
  'items',
  'contains',
  'additionalProperties',
  'propertyNames',
  'not',
  'if',
  'then',
  'else',
  'unevaluatedItems',
  'unevaluatedProperties',
  'contentSchema',
];
const MANY = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];
const NAMED = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'];
const COUNTS = [
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
  'minContains',
  'maxContains',
];
const NUMBERS = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'];
const STRINGS = [
  '$ref',
  '$id',
  '$anchor',
  '$schema',
  '$comment',
  'title',
  'description',
  'format',
  'pattern',
  'contentEncoding',
  'contentMediaType',
];

/** What is wrong with the schema, in words; null if it can be used. */
export function schemaFault(schema: unknown): string | null {
  try {
    // First, since it bounds the depth that the rest walks.
    createValidator(schema as Schema);
    return keywordFault(schema, '#') ?? patternFault(schema as Schema);
  } catch (error) {
    return (error as Error).message;
  }
}

function keywordFault(schema: unknown, at: string): string | null {
  if (typeof schema === 'boolean') return null;
  if (!isRecord(schema)) return `${at} is not a schema`;
  const wrong = (keyword: string, must: string): string => `${at}/${keyword} must be ${must}`;
  const { type, required } = schema;
  if (type !== undefined) {
    const list = Array.isArray(type) ? type : [type];
    if (list.length === 0 || list.some((one) => !TYPES.includes(one as string)))
      return wrong('type', 'a JSON type');
  }
  if (
    required !== undefined &&
    !(Array.isArray(required) && required.every((name) => typeof name === 'string'))
  ) {
    return wrong('required', 'an array of names');
  }
  if (schema.enum !== undefined && !Array.isArray(schema.enum)) return wrong('enum', 'an array');
  for (const key of COUNTS) {
    const count = schema[key];
    if (count !== undefined && !(Number.isInteger(count) && (count as number) >= 0))
      return wrong(key, 'a count');
  }
  for (const key of NUMBERS)
    if (schema[key] !== undefined && typeof schema[key] !== 'number') return wrong(key, 'a number');
  for (const key of STRINGS)
    if (schema[key] !== undefined && typeof schema[key] !== 'string') return wrong(key, 'a string');
  return childFault(schema, at, wrong);
}

function childFault(
  schema: JsonRecord,
  at: string,
  wrong: (keyword: string, must: string) => string,
): string | null {
  for (const key of ONE) {
    const found = schema[key] === undefined ? null : keywordFault(schema[key], `${at}/${key}`);
    if (found !== null) return found;
  }
  for (const key of MANY) {
    const list = schema[key];
    if (list === undefined) continue;
    if (!Array.isArray(list) || list.length === 0) return wrong(key, 'a non-empty array of schemas');
    for (const [index, one] of list.entries()) {
      const found = keywordFault(one, `${at}/${key}/${index}`);
      if (found !== null) return found;
    }
  }
  for (const key of NAMED) {
    const map = schema[key];
    if (map === undefined) continue;
    if (!isRecord(map)) return wrong(key, 'an object of schemas');
    for (const [name, one] of Object.entries(map)) {
      const found = keywordFault(one, `${at}/${key}/${name}`);
      if (found !== null) return found;
    }
  }
  return null;
}

function patternFault(schema: Schema): string | null {
  if (typeof schema === 'boolean') return null;
  const sources = new Set<string>();
  JSON.stringify(schema, (key, value: unknown) => {
    if (key === 'pattern' && typeof value === 'string') sources.add(value);
    if (key === 'patternProperties' && isRecord(value))
      for (const source of Object.keys(value)) sources.add(source);
    return value;
  });
  for (const source of sources) {
    try {
      new RegExp(source, 'u');
    } catch {
      return `${JSON.stringify(source)} is not a regular expression`;
    }
  }
  return null;
}
