// Brings a published schema into the form that the validator judges, without judging it harder than the specification
// does: the validator also refuses what is unsafe or unreachable for it, and that makes no schema invalid.

import { isObject, type JsonObject } from './message.ts';

const DATA = new Set(['enum', 'const', 'default', 'examples']);
const MAX_DEPTH = 90;

/** Null when it is too deep to be looked at. */
export function neutralSchema(schema: JsonObject, isOlderDialect: boolean): JsonObject | null {
  let tooDeep = false;

  function visit(node: unknown, depth: number): unknown {
    if (depth > MAX_DEPTH) tooDeep = true;
    if (tooDeep) return {};
    if (Array.isArray(node)) return node.map((item) => visit(item, depth + 1));
    return isObject(node) ? visitObject(node, depth) : node;
  }

  function visitObject(node: JsonObject, depth: number): JsonObject {
    const entries: [string, unknown][] = [];
    for (const [key, value] of Object.entries(node)) {
      if (DATA.has(key)) entries.push([key, value]);
      else if (key === 'pattern' && isExpression(value)) continue;
      else if (key === '$ref' && typeof value === 'string' && !value.startsWith('#')) continue;
      else if (key === 'patternProperties' && isObject(value) && Object.keys(value).every(isExpression))
        entries.push(['allOf', [...Object.values(value).map((one) => visit(one, depth + 1)), true]]);
      else if (isOlderDialect && key === 'items' && Array.isArray(value))
        entries.push(['prefixItems', visit(value, depth + 1)]);
      else if (isOlderDialect && /^exclusiveM/.test(key) && typeof value === 'boolean') continue;
      else entries.push([key, visit(value, depth + 1)]);
    }
    return Object.fromEntries(entries);
  }

  const neutral = visitObject(schema, 0);
  return tooDeep ? null : neutral;
}

/** With or without the flag that makes some old patterns invalid. */
function isExpression(source: unknown): boolean {
  if (typeof source !== 'string') return false;
  return ['u', ''].some((flags) => {
    try {
      new RegExp(source, flags);
      return true;
    } catch {
      return false;
    }
  });
}
