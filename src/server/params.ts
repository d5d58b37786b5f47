// Reads parameters of methods from untrusted JSON. Every reader throws `invalid-params` naming the parameter, what was
// expected and what came. Own properties only.

import { WitboxError } from '../core/errors.ts';
import { isJsonObject, type Json, type JsonObject, own } from '../core/json.ts';

export function invalid(reason: string): WitboxError {
  return new WitboxError('invalid-params', { reason });
}

export function stringParam(params: JsonObject, name: string): string {
  const value = own(params, name);
  if (typeof value !== 'string') throw wrong(name, 'a string', value);
  return value;
}

export function objectParam(params: JsonObject, name: string): JsonObject {
  const value = own(params, name);
  if (!isJsonObject(value)) throw wrong(name, 'an object', value);
  return value;
}

export function optionalObject(params: JsonObject, name: string): JsonObject | undefined {
  const value = own(params, name);
  if (value === undefined) return undefined;
  if (!isJsonObject(value)) throw wrong(name, 'an object', value);
  return value;
}

export function optionalString(params: JsonObject, name: string): string | undefined {
  const value = own(params, name);
  if (value === undefined) return undefined;
  if (typeof value !== 'string') throw wrong(name, 'a string', value);
  return value;
}

export function stringMap(params: JsonObject, name: string): Record<string, string> {
  const map: Record<string, string> = Object.create(null);
  for (const [key, value] of Object.entries(optionalObject(params, name) ?? {})) {
    if (typeof value !== 'string') throw wrong(`${name}.${key}`, 'a string', value);
    map[key] = value;
  }
  return map;
}

export function wholeNumber(params: JsonObject, name: string): number {
  const value = own(params, name);
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) {
    throw wrong(name, 'a whole number', value);
  }
  return value;
}

export function wrong(name: string, expected: string, found: Json | undefined): WitboxError {
  return invalid(`"${name}" must be ${expected}, it is ${kindOf(found)}`);
}

function kindOf(value: Json | undefined): string {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  return Array.isArray(value) ? 'an array' : `a ${typeof value}`;
}
