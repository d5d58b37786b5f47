// The schema of an argument rule as a check. A rule speaks of a value that it expects to be a number, a text, a list or
// an object; JSON Schema lets every keyword pass what it does not speak of, and tools take some values in two forms
// (large integers as decimal text, bytes as base64). So that a limit cannot be passed in another form, a keyword means
// its type here, unless the schema says a type or lists its values itself. A keyword that would check nothing is refused:
// a rule with a slip of the pen must not pass for a rule.

import type { JsonObject } from '../../core/json.ts';
import { fault } from '../../core/json-schema/fault.ts';
import type { Schema } from '../../core/json-schema/references.ts';
import { schemaFault } from '../../core/json-schema/schema-fault.ts';
import { createValidator, type Validate } from '../../core/json-schema/validate.ts';

const IMPLIED: Readonly<Record<string, string>> = {
  minimum: 'number',
  maximum: 'number',
  exclusiveMinimum: 'number',
  exclusiveMaximum: 'number',
  multipleOf: 'number',
  pattern: 'string',
  minLength: 'string',
  maxLength: 'string',
  items: 'array',
  prefixItems: 'array',
  contains: 'array',
  minItems: 'array',
  maxItems: 'array',
  uniqueItems: 'array',
  properties: 'object',
  required: 'object',
  patternProperties: 'object',
  additionalProperties: 'object',
  propertyNames: 'object',
  minProperties: 'object',
  maxProperties: 'object',
};

/** In these a type would let pass what the keyword alone does not. */
const INVERTED = new Set(['not', 'if']);
const VALUES = new Set(['enum', 'const']);
const NAMED = new Set(['properties', 'patternProperties', 'dependentSchemas']);

/** No references: what they lead to would mean one thing under `not` and another elsewhere. */
const KNOWN = new Set([
  ...Object.keys(IMPLIED),
  ...INVERTED,
  ...['enum', 'const', 'type', 'allOf', 'anyOf', 'oneOf', 'then', 'else', 'dependentRequired'],
  ...['minContains', 'maxContains', 'unevaluatedProperties', 'unevaluatedItems', 'dependentSchemas'],
  ...['title', 'description', '$comment'],
]);

/** Throws a plain Error that says what is wrong with the schema. */
export function compileArgumentSchema(schema: Readonly<Record<string, unknown>>): Validate {
  const problem = schemaFault(schema) ?? unknownKeyword(schema);
  if (problem !== null) throw new Error(`its schema cannot be used: ${problem}`);
  const validate = createValidator(withTypes(schema) as Schema);
  return (args) => (isRepresentable(args) ? validate(args) : NOT_FINITE);
}

// Read from text such as 1e400. Written again for the component it would be null, which is another value.
const NOT_FINITE = fault('', 'number', 'holds a number that is too large');

function unknownKeyword(schema: unknown): string | null {
  if (Array.isArray(schema)) return firstOf(schema, unknownKeyword);
  if (typeof schema !== 'object' || schema === null) return null;
  return firstOf(Object.entries(schema), ([key, value]) => {
    if (!KNOWN.has(key)) return `"${key}" is no keyword that an argument rule can have`;
    if (VALUES.has(key) || key === 'dependentRequired') return null;
    return unknownKeyword(NAMED.has(key) ? Object.values(value as object) : value);
  });
}

function firstOf<T>(items: readonly T[], problemOf: (item: T) => string | null): string | null {
  for (const item of items) {
    const problem = problemOf(item);
    if (problem !== null) return problem;
  }
  return null;
}

function withTypes(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withTypes);
  if (typeof schema !== 'object' || schema === null) return schema;
  const entries = Object.entries(schema).map(([key, value]): [string, unknown] => {
    if (INVERTED.has(key) || VALUES.has(key)) return [key, value];
    if (NAMED.has(key) && typeof value === 'object' && value !== null) {
      return [key, Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withTypes(one)]))];
    }
    return [key, withTypes(value)];
  });
  const has = (key: string): boolean => Object.hasOwn(schema, key);
  const implied = new Set(Object.keys(IMPLIED).flatMap((key) => (has(key) ? IMPLIED[key]! : [])));
  if (implied.size > 0 && !has('type') && !has('enum') && !has('const')) entries.push(['type', [...implied]]);
  return Object.fromEntries(entries);
}

function isRepresentable(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || value === null) return true;
  return Array.isArray(value)
    ? value.every(isRepresentable)
    : Object.values(value as JsonObject).every(isRepresentable);
}
