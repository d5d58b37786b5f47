// `witbox resource read`: what is behind the address of a resource.

import type { ResourceContents } from '../../core/mcp.ts';
import { createCallProgress } from '../call-progress.ts';
import { defineCommand } from '../command.ts';
import { showResource } from '../content-text.ts';
import { printJson } from '../open-store.ts';
import { ASKING_FLAGS, SERVER_FLAGS, withServer } from '../with-server.ts';

export const resourceRead = defineCommand({
  args: 'URI [-- COMMAND ARGS …]',
  arity: [1, 1],
  takesProgram: true,
  help: `
Reads a resource of the MCP server that --server names or a command after -- starts. Text is printed; anything else is
saved to a file, and its name is shown.

  witbox resource read file:///notes.txt --server http://localhost:8080/mcp
  witbox resource read test://image --save pictures -- npx some-mcp-server
`,
  flags: { ...SERVER_FLAGS, ...ASKING_FLAGS },
  async run(input, io) {
    const [uri = ''] = input.args;
    const { end, ...progress } = createCallProgress(io);
    const result = await withServer(input, io, (server, signal) =>
      server.readResource(uri, { signal, ...progress }),
    ).finally(end);
    if (input.flags.json) return void printJson(io, result);
    const name = uri
      .split('/')
      .at(-1)!
      .replace(/\.\w*$/, '');
    for (const one of result.contents)
      await showResource(one as ResourceContents, { io, directory: input.flags.save ?? '.', name });
    return undefined;
  },
});
