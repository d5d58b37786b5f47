// JSON Schema 2020-12, interpreted: no code is made from a schema, nothing is fetched, and work is bounded, because
// schemas come from components and from servers under test. `format` is an annotation, as the standard has it by default.

import { type Fault, fault } from './fault.ts';
import { canonical } from './json.ts';
import { checkArray } from './keywords-array.ts';
import { checkObject } from './keywords-object.ts';
import { checkScalar } from './keywords-scalar.ts';
import { compilePattern, type Matches, TooLong } from './pattern.ts';
import { indexReferences, type References, type Schema } from './references.ts';

const MAX_STEPS = 300_000;
const MAX_DEPTH = 200;
/** One step can look at all of a large value, so that steps alone bound nothing. */
const MAX_MS = 500;

/** What a schema has looked at, for the `unevaluated…` keywords. */
export interface Evaluated {
  readonly properties: Set<string>;
  readonly items: Set<number>;
}

export interface Run {
  evaluate(schema: Schema, value: unknown, path: string, evaluated: Evaluated): Fault | null;
  matches(source: string, text: string): boolean;
}

export type Validate = (value: unknown) => Fault | null;

/** Throws an Error with a plain message when the schema itself cannot be used. */
export function createValidator(root: Schema): Validate {
  const references = indexReferences(root);
  const patterns = new Map<string, Matches>();

  function pattern(source: string): Matches {
    let compiled = patterns.get(source);
    if (compiled === undefined) {
      compiled = compilePattern(source);
      patterns.set(source, compiled);
    }
    return compiled;
  }

  return (value) => {
    const end = performance.now() + MAX_MS;
    let steps = 0;
    let depth = 0;
    /** Thrown, since `not` and `anyOf` would take a fault for an answer. */
    const step = (): number => {
      const left = end - performance.now();
      if (++steps > MAX_STEPS || left <= 0) throw new TooLong();
      return left;
    };
    const run: Run = {
      matches: (source, text) => pattern(source)(text, step()),
      evaluate(schema, part, path, evaluated) {
        step();
        if (schema === true) return null;
        if (schema === false) return fault(path, 'false', 'is not allowed here');
        if (++depth > MAX_DEPTH) throw new TooLong();
        const found = checkSchema(run, references, schema, part, path, evaluated);
        depth--;
        return found;
      },
    };
    try {
      return run.evaluate(root, value, '', nothingEvaluated());
    } catch (error) {
      if (error instanceof TooLong) return fault('', 'size', 'takes too long to check');
      throw error;
    }
  };
}

export const nothingEvaluated = (): Evaluated => ({ properties: new Set(), items: new Set() });

function checkSchema(
  run: Run,
  references: References,
  schema: Exclude<Schema, boolean>,
  value: unknown,
  path: string,
  evaluated: Evaluated,
): Fault | null {
  for (const key of ['$ref', '$dynamicRef'] as const) {
    const reference = schema[key];
    if (typeof reference !== 'string') continue;
    const target = references.resolve(reference, schema);
    if (target === null)
      return fault(path, '$ref', `refers to ${JSON.stringify(reference)}, which is not in the schema`);
    const found = run.evaluate(target, value, path, evaluated);
    if (found !== null) return found;
  }
  return (
    checkScalar(run, schema, value, path) ??
    checkCombined(run, schema, value, path, evaluated) ??
    checkArray(run, schema, value, path, evaluated) ??
    checkObject(run, schema, value, path, evaluated)
  );
}

function checkCombined(
  run: Run,
  schema: Exclude<Schema, boolean>,
  value: unknown,
  path: string,
  evaluated: Evaluated,
): Fault | null {
  const attempt = (branch: unknown): { found: Fault | null; seen: Evaluated } => {
    const seen = nothingEvaluated();
    return { found: run.evaluate(branch as Schema, value, path, seen), seen };
  };
  const keep = (seen: Evaluated): void => {
    for (const key of seen.properties) evaluated.properties.add(key);
    for (const index of seen.items) evaluated.items.add(index);
  };

  for (const branch of asArray(schema.allOf)) {
    const { found, seen } = attempt(branch);
    if (found !== null) return found;
    keep(seen);
  }
  if (Array.isArray(schema.anyOf)) {
    const passed = schema.anyOf.map(attempt).filter(({ found }) => found === null);
    if (passed.length === 0) return fault(path, 'anyOf', `fits none of ${schema.anyOf.length} allowed forms`);
    for (const { seen } of passed) keep(seen);
  }
  if (Array.isArray(schema.oneOf)) {
    const passed = schema.oneOf.map(attempt).filter(({ found }) => found === null);
    if (passed.length !== 1) {
      return fault(
        path,
        'oneOf',
        `fits ${passed.length} of ${schema.oneOf.length} forms, expected exactly one`,
      );
    }
    keep(passed[0]!.seen);
  }
  if (schema.not !== undefined && attempt(schema.not).found === null) {
    return fault(path, 'not', `has a form that is excluded: ${canonical(value).slice(0, 80)}`);
  }
  if (schema.if !== undefined) {
    const { found: unless, seen } = attempt(schema.if);
    if (unless === null) keep(seen);
    const branch = unless === null ? schema.then : schema.else;
    if (branch !== undefined) {
      const outcome = attempt(branch);
      if (outcome.found !== null) return outcome.found;
      keep(outcome.seen);
    }
  }
  return null;
}

export function asArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
