// Any JSON object, written as YAML: the schema of an argument rule. What YAML has and JSON has not is refused.

import type { Json, JsonObject } from '../core/json.ts';
import { isMap, isScalar, isSeq, type Node } from '../policy/yaml.ts';
import { readKeys } from './keys.ts';
import type { Place, Shape } from './shape.ts';

export function jsonObject(): Shape<JsonObject> {
  return {
    schema: { type: 'object' },
    read: (node, place) =>
      isMap(node) ? objectOf(node, place) : place.fail(node, `${place.path} must be a mapping`),
    write: (value) => value,
  };
}

function objectOf(node: Node, place: Place): JsonObject {
  const entries = [...readKeys(node, place, null)];
  return Object.fromEntries(
    entries.map(([name, { key, value }]) => [name, toJson(value, place.at(name, key))]),
  );
}

function toJson(node: Node | null, place: Place): Json {
  if (isMap(node)) return objectOf(node, place);
  if (isSeq(node)) return (node.items as Node[]).map((one, i) => toJson(one, place.at(i, one)));
  const value: unknown = isScalar(node) ? node.value : null;
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  return place.fail(node, `${place.path} is not a value that JSON has`);
}
