// Keywords about objects. Keys come from strangers: they are only ever looked up as own properties.

import { type Fault, fault, step } from './fault.ts';
import { isRecord, type JsonRecord } from './json.ts';
import type { Schema } from './references.ts';
import { asArray, type Evaluated, nothingEvaluated, type Run } from './validate.ts';

export function checkObject(
  run: Run,
  schema: JsonRecord,
  value: unknown,
  path: string,
  evaluated: Evaluated,
): Fault | null {
  if (!isRecord(value)) return null;
  return (
    checkCounts(schema, value, path) ??
    checkNames(run, schema, value, path) ??
    checkProperties(run, schema, value, path, evaluated) ??
    checkDependent(run, schema, value, path, evaluated) ??
    checkUnevaluated(run, schema, value, path, evaluated)
  );
}

function checkCounts(schema: JsonRecord, value: JsonRecord, path: string): Fault | null {
  for (const name of asArray(schema.required)) {
    if (typeof name === 'string' && !Object.hasOwn(value, name)) {
      return fault(path, 'required', `must have the property ${JSON.stringify(name)}`);
    }
  }
  const count = Object.keys(value).length;
  const { minProperties, maxProperties } = schema;
  if (typeof minProperties === 'number' && count < minProperties) {
    return fault(path, 'minProperties', `must have at least ${minProperties} properties`);
  }
  if (typeof maxProperties === 'number' && count > maxProperties) {
    return fault(path, 'maxProperties', `must have at most ${maxProperties} properties`);
  }
  return null;
}

function checkNames(run: Run, schema: JsonRecord, value: JsonRecord, path: string): Fault | null {
  if (schema.propertyNames === undefined) return null;
  for (const name of Object.keys(value)) {
    const found = run.evaluate(schema.propertyNames as Schema, name, path, nothingEvaluated());
    if (found !== null)
      return fault(path, 'propertyNames', `has the property ${JSON.stringify(name)}, which ${found.message}`);
  }
  return null;
}

function checkProperties(
  run: Run,
  schema: JsonRecord,
  value: JsonRecord,
  path: string,
  evaluated: Evaluated,
): Fault | null {
  const properties = isRecord(schema.properties) ? schema.properties : {};
  const patterns = isRecord(schema.patternProperties) ? Object.entries(schema.patternProperties) : [];
  for (const [name, part] of Object.entries(value)) {
    const rules: unknown[] = Object.hasOwn(properties, name) ? [properties[name]] : [];
    for (const [source, rule] of patterns) if (run.matches(source, name)) rules.push(rule);
    if (rules.length === 0 && schema.additionalProperties !== undefined) {
      if (schema.additionalProperties === false) {
        return fault(path, 'additionalProperties', `must not have the property ${JSON.stringify(name)}`);
      }
      rules.push(schema.additionalProperties);
    }
    for (const rule of rules) {
      const found = run.evaluate(rule as Schema, part, step(path, name), nothingEvaluated());
      if (found !== null) return found;
      evaluated.properties.add(name);
    }
  }
  return null;
}

function checkDependent(
  run: Run,
  schema: JsonRecord,
  value: JsonRecord,
  path: string,
  evaluated: Evaluated,
): Fault | null {
  const required = isRecord(schema.dependentRequired) ? Object.entries(schema.dependentRequired) : [];
  for (const [name, needs] of required) {
    const missing = Object.hasOwn(value, name)
      ? asArray(needs).find((need) => !Object.hasOwn(value, String(need)))
      : undefined;
    if (missing !== undefined) {
      return fault(
        path,
        'dependentRequired',
        `has ${JSON.stringify(name)}, so it must have ${JSON.stringify(missing)}`,
      );
    }
  }
  const schemas = isRecord(schema.dependentSchemas) ? Object.entries(schema.dependentSchemas) : [];
  for (const [name, rule] of schemas) {
    const found = Object.hasOwn(value, name) ? run.evaluate(rule as Schema, value, path, evaluated) : null;
    if (found !== null) return found;
  }
  return null;
}

function checkUnevaluated(
  run: Run,
  schema: JsonRecord,
  value: JsonRecord,
  path: string,
  evaluated: Evaluated,
): Fault | null {
  if (schema.unevaluatedProperties === undefined) return null;
  for (const [name, part] of Object.entries(value)) {
    if (evaluated.properties.has(name)) continue;
    const found = run.evaluate(
      schema.unevaluatedProperties as Schema,
      part,
      step(path, name),
      nothingEvaluated(),
    );
    if (found !== null)
      return fault(path, 'unevaluatedProperties', `must not have the property ${JSON.stringify(name)}`);
    evaluated.properties.add(name);
  }
  return null;
}
