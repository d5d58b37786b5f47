// Every fixture that the official MCP conformance scenarios call, as one component that speaks MCP itself. It runs in a
// cell like any other component: each call gets a fresh instance, and what is asked of the client survives in `state`.

import { defineAskingTools } from './asking-tools.js';
import { defineBasicTools } from './basic-tools.js';
import { defineLongTools } from './long-tools.js';

export { prompts } from './prompts.js';
export { completion, resources } from './resources.js';

const TOOLS = new Map();

function define(name, description, run, more = {}) {
  const { inputSchema = { type: 'object' }, outputSchema, task } = more;
  TOOLS.set(name, {
    run,
    tool: {
      name,
      description,
      inputSchema: JSON.stringify(inputSchema),
      outputSchema: outputSchema === undefined ? undefined : JSON.stringify(outputSchema),
      icons: [],
      task,
    },
  });
}

defineBasicTools(define);
defineAskingTools(define);
defineLongTools(define);

export const tools = {
  listTools: () => [...TOOLS.values()].map(({ tool }) => tool),
  callTool(call) {
    const found = TOOLS.get(call.name);
    if (found === undefined) throw { tag: 'unknown' };
    const answers = Object.fromEntries(
      call.continuation.answers.map(([key, value]) => [key, JSON.parse(value)]),
    );
    return found.run({
      args: JSON.parse(call.arguments),
      answers,
      state: call.continuation.state ?? undefined,
    });
  },
};
