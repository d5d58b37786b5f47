// JSON as data from outside: the types, and a parser that bounds nesting before anything recursive sees the value.
// A key named `__proto__` stays an ordinary own property here; nobody may copy such objects with Object.assign.

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

export interface JsonObject {
  readonly [key: string]: Json | undefined;
}

const OPEN_BRACE = 0x7b;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACE = 0x7d;
const CLOSE_BRACKET = 0x5d;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Own property only: `constructor` and friends of Object.prototype are not data. */
export function own(object: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Throws SyntaxError on anything that is not JSON, RangeError when it nests deeper than `maxDepth`. */
export function parseJson(text: string, maxDepth: number): Json {
  if (nestsDeeperThan(text, maxDepth)) throw new RangeError(`JSON nests deeper than ${maxDepth} levels`);
  return JSON.parse(text) as Json;
}

// Counts brackets outside strings. Malformed text may be counted wrongly, but JSON.parse refuses it afterwards.
function nestsDeeperThan(text: string, maxDepth: number): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case QUOTE:
        at = endOfString(text, at + 1);
        break;
      case OPEN_BRACE:
      case OPEN_BRACKET:
        depth += 1;
        if (depth > maxDepth) return true;
        break;
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
        depth -= 1;
        break;
    }
  }
  return false;
}

// indexOf runs at memory speed, so long strings cost little.
function endOfString(text: string, from: number): number {
  let at = from;
  for (;;) {
    const quote = text.indexOf('"', at);
    if (quote < 0) return text.length;
    let slashes = 0;
    while (text.charCodeAt(quote - 1 - slashes) === BACKSLASH && quote - 1 - slashes >= from) slashes += 1;
    if (slashes % 2 === 0) return quote;
    at = quote + 1;
  }
}
