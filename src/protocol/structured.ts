// Structured output for revisions that only take objects: other shapes are wrapped as {"result": …}, schema and value
// alike, so that the value always fits the schema that the client was given.

import { isJsonObject, type Json, type JsonObject } from '../core/json.ts';
import type { Tool } from '../server/canonical.ts';

/** Decided by the schema where there is one: a value may be an object although its schema allows more. */
export function wrapsOutput(tool: Tool | undefined, value?: Json): boolean {
  if (tool?.outputSchema) return tool.outputSchema.type !== 'object';
  return !isJsonObject(value);
}

/** Null if the schema refers to its own root, which is elsewhere once wrapped. */
export function wrappedSchema(schema: JsonObject): JsonObject | null {
  if (refersToRoot(schema)) return null;
  const { $defs, definitions, $schema, ...inner } = schema;
  return {
    ...($schema !== undefined && { $schema }),
    type: 'object',
    properties: { result: inner },
    required: ['result'],
    ...($defs !== undefined && { $defs }),
    ...(definitions !== undefined && { definitions }),
  };
}

function refersToRoot(value: Json | undefined): boolean {
  if (Array.isArray(value)) return value.some(refersToRoot);
  if (!isJsonObject(value)) return false;
  const { $ref } = value;
  if (typeof $ref === 'string' && $ref.startsWith('#') && !/^#\/(\$defs|definitions)\//.test($ref))
    return true;
  return Object.values(value).some(refersToRoot);
}
