// Arguments for tools that nobody has described further than their schemas do.

import type { Connection } from '../../src/client/client.ts';
import type { Json, JsonObject } from '../../src/core/json.ts';

type Tools = Awaited<ReturnType<Connection['tools']>>;
export type Calls = readonly { readonly name: string; readonly arguments: JsonObject }[];

/** The calls that are wanted; else one for each tool. */
export function argumentsFor(tools: Tools, wanted: Calls | undefined): { name: string; args: JsonObject }[] {
  if (wanted) return wanted.map((call) => ({ name: call.name, args: call.arguments }));
  return tools.map(({ name, inputSchema }) => {
    const { properties = {} } = inputSchema as { properties?: Record<string, JsonObject> };
    const values = Object.entries(properties).map(([key, schema]) => [key, valueFor(key, schema, tools)]);
    return { name, args: Object.fromEntries(values) };
  });
}

function valueFor(key: string, schema: JsonObject, tools: Tools): Json {
  // A tool that takes a schema is given one that came from this server.
  if (key === 'schema' && schema.type === 'object') return tools[0]!.inputSchema as JsonObject;
  switch (schema.type) {
    case 'integer':
    case 'number':
      return 5;
    case 'boolean':
      return true;
    case 'array':
      return [];
    case 'object':
      return {};
    default:
      return 'text';
  }
}
