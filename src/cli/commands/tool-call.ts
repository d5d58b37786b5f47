// `witbox tool call`: one call of one tool, in a cell with what its component's policy grants, or of a server.

import { WitboxError } from '../../core/errors.ts';
import type { JsonObject } from '../../core/json.ts';
import type { ContentBlock } from '../../core/mcp.ts';
import { createCallProgress } from '../call-progress.ts';
import { defineCommand, type Io } from '../command.ts';
import { line, showContent } from '../content-text.ts';
import { printJson } from '../open-store.ts';
import { readArguments } from '../tool-arguments.ts';
import { BROKER_FLAGS, type BrokerFlags, localContext, withBroker } from '../with-broker.ts';
import { ASKING_FLAGS, namesServer, SERVER_FLAGS, type ServerInput, withServer } from '../with-server.ts';

interface Called {
  readonly content: readonly ContentBlock[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean;
}

export const toolCall = defineCommand({
  args: 'TOOL [NAME=VALUE …] [-- COMMAND ARGS …]',
  arity: [1, 100],
  takesProgram: true,
  help: `
Calls a tool of a component in the data directory, of one given with --component, or of the MCP server that --server
names or a command after -- starts. Arguments are NAME=VALUE, where VALUE is JSON if it can be read as JSON and else a
string; or one JSON object with --args. Images and other files in the answer are saved, and their names are shown.
The exit status is 1 if the tool answers with an error. Ctrl-C cancels the call.

  witbox tool call add a=5 b=3
  witbox tool call add --component calculator.wasm --args '{"a": 5, "b": 3}'
  witbox tool call add a=5 b=3 --server ws://localhost:8080/ws
  witbox tool call add a=5 b=3 --server https://mcp.example.com/mcp --header "Authorization: Bearer $KEY"
  witbox tool call echo message=hello -- npx some-mcp-server
`,
  flags: {
    args: { type: 'string', value: 'JSON', summary: 'All arguments as one JSON object' },
    ...BROKER_FLAGS,
    ...SERVER_FLAGS,
    ...ASKING_FLAGS,
  },
  async run(input, io) {
    const { args: words, flags } = input;
    const [name = '', ...pairs] = words;
    const args = readArguments(flags.args, pairs);
    const result = namesServer(input)
      ? await callServer(input, name, args, io)
      : await callLocal(flags as BrokerFlags, name, args, io);
    if (flags.json) printJson(io, result);
    else await show(result, { io, directory: flags.save ?? '.', name });
    return result.isError ? 1 : 0;
  },
});

function callServer(input: ServerInput, name: string, args: JsonObject, io: Io): Promise<Called> {
  return withServer(input, io, async (server, signal) => {
    const { end, ...progress } = createCallProgress(io);
    try {
      return (await server.callTool(name, args, { signal, ...progress })) as unknown as Called;
    } finally {
      end();
    }
  });
}

function callLocal(flags: BrokerFlags, name: string, args: JsonObject, io: Io): Promise<Called> {
  const signal = io.stopSignal();
  return withBroker(flags, io, async ({ catalog }) => {
    const outcome = await catalog.callTool({ name, arguments: args }, localContext(signal, io));
    if (outcome.kind !== 'complete') throw new WitboxError('tool-asks', { name });
    const { kind: _, ...result } = outcome;
    return result;
  });
}

async function show(result: Called, shown: Parameters<typeof showContent>[1]): Promise<void> {
  await showContent(result.content, shown);
  if (result.content.length === 0 && result.structuredContent !== undefined)
    line(shown.io, JSON.stringify(result.structuredContent, null, 2));
}
