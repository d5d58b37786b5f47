// Keywords about arrays.

import { type Fault, fault, step } from './fault.ts';
import { canonical, type JsonRecord } from './json.ts';
import type { Schema } from './references.ts';
import { asArray, type Evaluated, nothingEvaluated, type Run } from './validate.ts';

export function checkArray(
  run: Run,
  schema: JsonRecord,
  value: unknown,
  path: string,
  evaluated: Evaluated,
): Fault | null {
  if (!Array.isArray(value)) return null;
  const { minItems, maxItems } = schema;
  if (typeof minItems === 'number' && value.length < minItems) {
    return fault(path, 'minItems', `must have at least ${minItems} items`);
  }
  if (typeof maxItems === 'number' && value.length > maxItems) {
    return fault(path, 'maxItems', `must have at most ${maxItems} items`);
  }
  if (schema.uniqueItems === true && new Set(value.map(canonical)).size < value.length) {
    return fault(path, 'uniqueItems', 'must not hold the same item twice');
  }
  return (
    checkItems(run, schema, value, path, evaluated) ??
    checkContains(run, schema, value, path, evaluated) ??
    checkUnevaluated(run, schema, value, path, evaluated)
  );
}

function checkItems(
  run: Run,
  schema: JsonRecord,
  value: readonly unknown[],
  path: string,
  evaluated: Evaluated,
): Fault | null {
  const prefix = asArray(schema.prefixItems);
  for (const [index, item] of value.entries()) {
    const rule = index < prefix.length ? prefix[index] : schema.items;
    if (rule === undefined) break;
    const found = run.evaluate(rule as Schema, item, step(path, index), nothingEvaluated());
    if (found !== null) return found;
    evaluated.items.add(index);
  }
  return null;
}

function checkContains(
  run: Run,
  schema: JsonRecord,
  value: readonly unknown[],
  path: string,
  evaluated: Evaluated,
): Fault | null {
  if (schema.contains === undefined) return null;
  let count = 0;
  for (const [index, item] of value.entries()) {
    if (run.evaluate(schema.contains as Schema, item, step(path, index), nothingEvaluated()) !== null)
      continue;
    evaluated.items.add(index);
    count++;
  }
  const least = typeof schema.minContains === 'number' ? schema.minContains : 1;
  const most = typeof schema.maxContains === 'number' ? schema.maxContains : Number.POSITIVE_INFINITY;
  if (count >= least && count <= most) return null;
  return fault(path, 'contains', `has ${count} items of the kind that must be there`);
}

function checkUnevaluated(
  run: Run,
  schema: JsonRecord,
  value: readonly unknown[],
  path: string,
  evaluated: Evaluated,
): Fault | null {
  if (schema.unevaluatedItems === undefined) return null;
  for (const [index, item] of value.entries()) {
    if (evaluated.items.has(index)) continue;
    const found = run.evaluate(
      schema.unevaluatedItems as Schema,
      item,
      step(path, index),
      nothingEvaluated(),
    );
    if (found !== null) return found;
    evaluated.items.add(index);
  }
  return null;
}
