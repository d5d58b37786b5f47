// `witbox prompt get`: a prompt of a server, filled in with arguments.

import type { ContentBlock } from '../../core/mcp.ts';
import { createCallProgress } from '../call-progress.ts';
import { defineCommand } from '../command.ts';
import { line, showContent } from '../content-text.ts';
import { printJson } from '../open-store.ts';
import { readArguments } from '../tool-arguments.ts';
import { ASKING_FLAGS, SERVER_FLAGS, withServer } from '../with-server.ts';

export const promptGet = defineCommand({
  args: 'PROMPT [NAME=VALUE …] [-- COMMAND ARGS …]',
  arity: [1, 100],
  takesProgram: true,
  help: `
Gets a prompt of the MCP server that --server names or a command after -- starts, with NAME=VALUE as its arguments.

  witbox prompt get review file=main.ts --server http://localhost:8080/mcp
  witbox prompt get greeting --json -- npx some-mcp-server
`,
  flags: { ...SERVER_FLAGS, ...ASKING_FLAGS },
  async run(input, io) {
    const [name = '', ...pairs] = input.args;
    const args = Object.fromEntries(
      Object.entries(readArguments(undefined, pairs)).map(([key, value]) => [
        key,
        typeof value === 'string' ? value : JSON.stringify(value),
      ]),
    );
    const { end, ...progress } = createCallProgress(io);
    const result = await withServer(input, io, (server, signal) =>
      server.getPrompt(name, args, { signal, ...progress }),
    ).finally(end);
    if (input.flags.json) return void printJson(io, result);
    for (const { role, content } of result.messages) {
      line(io, `${role}:`);
      await showContent([content as ContentBlock], { io, directory: input.flags.save ?? '.', name });
    }
    return undefined;
  },
});
