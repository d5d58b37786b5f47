// Arguments for a tool as people type them: NAME=VALUE, where VALUE is JSON if it can be read as JSON and else a string,
// or one JSON object.

import { WitboxError } from '../core/errors.ts';
import { isJsonObject, type Json, type JsonObject, parseJson } from '../core/json.ts';

const MAX_DEPTH = 200;

export function readArguments(object: string | undefined, pairs: readonly string[]): JsonObject {
  return { ...readObject(object), ...Object.fromEntries(pairs.map(readPair)) };
}

function readObject(text: string | undefined): JsonObject {
  if (text === undefined) return {};
  const value = readJson(text);
  if (!isJsonObject(value))
    throw new WitboxError('tool-argument', { text, problem: 'it is not a JSON object' });
  return value;
}

function readPair(text: string): [string, Json] {
  const at = text.indexOf('=');
  if (at <= 0) throw new WitboxError('tool-argument', { text, problem: 'write it as NAME=VALUE' });
  const value = text.slice(at + 1);
  return [text.slice(0, at), readJson(value) ?? value];
}

function readJson(text: string): Json | undefined {
  try {
    return parseJson(text, MAX_DEPTH);
  } catch {
    return undefined;
  }
}
