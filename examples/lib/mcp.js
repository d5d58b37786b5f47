// What the examples that speak MCP themselves share: content, outcomes, and a table of tools behind the `tools` export.

export const text = (value) => ({ tag: 'text', val: { text: value } });

export const embedded = (uri, mimeType, value) => ({
  tag: 'embedded',
  val: { contents: { uri, mimeType, body: { tag: 'text', val: value } } },
});

/** Something the caller did wrong or has to know; anything else that is thrown stays between component and log. */
export class UserError extends Error {}

const complete = (content, structured, isError = false) => ({
  tag: 'complete',
  val: { content, structured: structured === undefined ? undefined : JSON.stringify(structured), isError },
});

/** `run` gives the structured result, or `{content, structured}` if there is more to show than its JSON. */
function outcomeOf(result) {
  if (Array.isArray(result?.content)) return complete(result.content, result.structured);
  if (typeof result === 'string') return complete([text(result)]);
  return complete([text(JSON.stringify(result, null, 2))], result);
}

export const object = (properties, required = []) => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});

/** By name: `{title, description, input, output, annotations, run(args)}`. */
export function createTools(table) {
  return {
    listTools: () =>
      Object.entries(table).map(([name, { title, description, input, output, annotations }]) => ({
        name,
        title,
        description,
        inputSchema: JSON.stringify(input ?? object({})),
        outputSchema: output && JSON.stringify(output),
        annotations,
        icons: [],
      })),
    callTool({ name, arguments: args }) {
      if (!Object.hasOwn(table, name)) throw { tag: 'unknown' };
      try {
        return outcomeOf(table[name].run(JSON.parse(args)));
      } catch (error) {
        if (error instanceof UserError) return complete([text(error.message)], undefined, true);
        throw { tag: 'failed', val: String(error?.message ?? JSON.stringify(error)) };
      }
    },
  };
}
