// `witbox resource list`: the resources of a server, and the templates of more.

import { defineCommand } from '../command.ts';
import { line } from '../content-text.ts';
import { printJson } from '../open-store.ts';
import { firstLine, table } from '../printable.ts';
import { SERVER_FLAGS, withServer } from '../with-server.ts';

export const resourceList = defineCommand({
  args: '[-- COMMAND ARGS …]',
  arity: [0, 0],
  takesProgram: true,
  help: `
Shows the resources of the MCP server that --server names or a command after -- starts, and the templates for
addresses of more.

  witbox resource list --server http://localhost:8080/mcp
  witbox resource list --json -- npx some-mcp-server
`,
  flags: SERVER_FLAGS,
  async run(input, io) {
    await withServer(input, io, async (server, signal) => {
      const resources = await server.resources({ signal });
      const resourceTemplates = await server.resourceTemplates({ signal });
      if (input.flags.json) return printJson(io, { resources, resourceTemplates });
      const rows = [
        ...resources.map((one) => [one.uri, one.mimeType ?? '', firstLine(one.description ?? one.name)]),
        ...resourceTemplates.map((one) => [
          one.uriTemplate,
          one.mimeType ?? '',
          firstLine(one.description ?? one.name),
        ]),
      ];
      line(io, rows.length === 0 ? 'The server has no resources.' : table(rows));
    });
  },
});
