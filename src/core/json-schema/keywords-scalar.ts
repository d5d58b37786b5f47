// Keywords about a single value: its type, its set of values, numbers and strings.

import { type Fault, fault } from './fault.ts';
import { canonical, type JsonRecord, typeOf } from './json.ts';
import type { Run } from './validate.ts';

export function checkScalar(run: Run, schema: JsonRecord, value: unknown, path: string): Fault | null {
  return (
    checkType(schema, value, path) ??
    checkChoice(schema, value, path) ??
    (typeof value === 'number' ? checkNumber(schema, value, path) : null) ??
    (typeof value === 'string' ? checkString(run, schema, value, path) : null)
  );
}

function checkType({ type }: JsonRecord, value: unknown, path: string): Fault | null {
  if (type === undefined) return null;
  const allowed = Array.isArray(type) ? type : [type];
  const actual = typeOf(value);
  const fits = allowed.some((one) => one === actual || (one === 'number' && actual === 'integer'));
  return fits ? null : fault(path, 'type', `must be ${allowed.join(' or ')}, is ${actual}`);
}

function checkChoice(schema: JsonRecord, value: unknown, path: string): Fault | null {
  if (Array.isArray(schema.enum)) {
    const text = canonical(value);
    if (!schema.enum.some((one) => canonical(one) === text)) {
      return fault(path, 'enum', `must be one of ${JSON.stringify(schema.enum).slice(0, 200)}`);
    }
  }
  if (Object.hasOwn(schema, 'const') && canonical(schema.const) !== canonical(value)) {
    return fault(path, 'const', `must be ${JSON.stringify(schema.const).slice(0, 200)}`);
  }
  return null;
}

function checkNumber(schema: JsonRecord, value: number, path: string): Fault | null {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  if (typeof minimum === 'number' && value < minimum)
    return fault(path, 'minimum', `must be at least ${minimum}`);
  if (typeof maximum === 'number' && value > maximum)
    return fault(path, 'maximum', `must be at most ${maximum}`);
  if (typeof exclusiveMinimum === 'number' && value <= exclusiveMinimum) {
    return fault(path, 'exclusiveMinimum', `must be more than ${exclusiveMinimum}`);
  }
  if (typeof exclusiveMaximum === 'number' && value >= exclusiveMaximum) {
    return fault(path, 'exclusiveMaximum', `must be less than ${exclusiveMaximum}`);
  }
  if (typeof multipleOf === 'number' && multipleOf > 0 && !isMultiple(value, multipleOf)) {
    return fault(path, 'multipleOf', `must be a multiple of ${multipleOf}`);
  }
  return null;
}

/** Decimal fractions have no exact binary form: 0.3 counts as a multiple of 0.1. */
function isMultiple(value: number, of: number): boolean {
  const quotient = value / of;
  return (
    Number.isFinite(quotient) &&
    Math.abs(quotient - Math.round(quotient)) <= Number.EPSILON * Math.abs(quotient) * 4
  );
}

function checkString(run: Run, schema: JsonRecord, value: string, path: string): Fault | null {
  const { minLength, maxLength, pattern } = schema;
  if (typeof minLength === 'number' || typeof maxLength === 'number') {
    const length = [...value].length;
    if (typeof minLength === 'number' && length < minLength) {
      return fault(path, 'minLength', `must have at least ${minLength} characters`);
    }
    if (typeof maxLength === 'number' && length > maxLength) {
      return fault(path, 'maxLength', `must have at most ${maxLength} characters`);
    }
  }
  if (typeof pattern === 'string' && !run.matches(pattern, value)) {
    return fault(path, 'pattern', `must match ${JSON.stringify(pattern)}`);
  }
  return null;
}
