// Reads what a component says about itself. It comes as JSON that a cell wrote, so nothing in it is trusted: every field
// is checked for its type and bounded in length before anybody else sees it.

import { isJsonObject, type Json, type JsonObject, parseJson } from '../../core/json.ts';

const MOST_TEXT = 1 << 20;
const MOST_JSON_DEPTH = 100;

/** What a component said makes no sense; told to the operator's log with the component's name. */
export class Lie extends Error {
  override readonly name = 'Lie';
}

export function object(value: Json | undefined, what: string): JsonObject {
  if (!isJsonObject(value)) throw new Lie(`${what} is not an object`);
  return value;
}

export function array(value: Json | undefined, what: string, most: number): readonly Json[] {
  if (!Array.isArray(value)) throw new Lie(`${what} is not a list`);
  if (value.length > most) throw new Lie(`${what} has ${value.length} entries, the limit is ${most}`);
  return value as readonly Json[];
}

export function text(value: Json | undefined, what: string, most = MOST_TEXT): string {
  if (typeof value !== 'string') throw new Lie(`${what} is not a text`);
  if (value.length > most) throw new Lie(`${what} is longer than ${most} characters`);
  return value;
}

export function number(value: Json | undefined, what: string): number {
  const amount = typeof value === 'string' ? Number(value) : value;
  if (typeof amount !== 'number' || !Number.isFinite(amount)) throw new Lie(`${what} is not a number`);
  return amount;
}

/** JSON inside a text. */
export function json(value: Json | undefined, what: string): Json {
  try {
    return parseJson(text(value, what), MOST_JSON_DEPTH);
  } catch (error) {
    throw error instanceof Lie ? error : new Lie(`${what} is not JSON`);
  }
}

/** Gives `{name: …}` for an option that is there and nothing for one that is not. */
export function optional<T>(
  name: string,
  value: Json | undefined,
  read: (value: Json, what: string) => T,
  what = name,
): Record<string, T> {
  return value === undefined || value === null ? {} : { [name]: read(value, what) };
}

export const flag = (value: Json, what: string): boolean => {
  if (typeof value !== 'boolean') throw new Lie(`${what} is not true or false`);
  return value;
};

/** A variant as the codec writes it. */
export function variant(
  value: Json | undefined,
  what: string,
): { readonly tag: string; readonly val: Json | undefined } {
  const { tag, val } = object(value, what);
  return { tag: text(tag, `${what}.tag`, 64), val };
}

export function pairs(value: Json | undefined, what: string, most: number): [string, Json][] {
  return array(value, what, most).map((pair) => {
    const [key, item] = array(pair, what, 2);
    return [text(key, what, 256), item!];
  });
}
