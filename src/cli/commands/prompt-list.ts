// `witbox prompt list`: the prompts of a server, with their arguments.

import { defineCommand } from '../command.ts';
import { line } from '../content-text.ts';
import { printJson } from '../open-store.ts';
import { firstLine, table } from '../printable.ts';
import { SERVER_FLAGS, withServer } from '../with-server.ts';

export const promptList = defineCommand({
  args: '[-- COMMAND ARGS …]',
  arity: [0, 0],
  takesProgram: true,
  help: `
Shows the prompts of the MCP server that --server names or a command after -- starts. Arguments in brackets may be left
out.

  witbox prompt list --server http://localhost:8080/mcp
  witbox prompt list -- npx some-mcp-server
`,
  flags: SERVER_FLAGS,
  async run(input, io) {
    await withServer(input, io, async (server, signal) => {
      const prompts = await server.prompts({ signal });
      if (input.flags.json) return printJson(io, prompts);
      const rows = prompts.map((one) => {
        const names = (one.arguments ?? []).map(({ name, required }) => (required ? name : `[${name}]`));
        return [one.name, names.join(' '), firstLine(one.description ?? one.title)];
      });
      line(io, rows.length === 0 ? 'The server has no prompts.' : table(rows));
    });
  },
});
