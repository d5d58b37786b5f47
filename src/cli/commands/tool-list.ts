// `witbox tool list`: the tools of the components in the data directory, of those given, or of a server.

import { LOCAL } from '../../core/caller.ts';
import { defineCommand, type Io } from '../command.ts';
import { printJson } from '../open-store.ts';
import { firstLine, printable, table } from '../printable.ts';
import { BROKER_FLAGS, type BrokerFlags, withBroker } from '../with-broker.ts';
import { namesServer, SERVER_FLAGS, withServer } from '../with-server.ts';

interface Listed {
  readonly name: string;
  readonly description?: string | undefined;
}

export const toolList = defineCommand({
  args: '[-- COMMAND ARGS …]',
  arity: [0, 0],
  takesProgram: true,
  help: `
Shows the tools of all components in the data directory, only of those given with --component, or of the MCP server
that --server names or a command after -- starts.

  witbox tool list
  witbox tool list --component calculator.wasm --json
  witbox tool list --server http://localhost:8080/mcp
  witbox tool list -- npx some-mcp-server
`,
  flags: { ...BROKER_FLAGS, ...SERVER_FLAGS },
  async run(input, io) {
    const { flags } = input;
    const show = (tools: readonly Listed[], none: string): void => {
      if (flags.json) printJson(io, tools);
      else if (tools.length === 0) io.out(`${none}\n`);
      else io.out(rowsOf(tools, io));
    };
    if (namesServer(input)) {
      await withServer(input, io, async (server, signal) =>
        show(await server.tools({ signal }), 'The server has no tools.'),
      );
    } else {
      await withBroker(flags as BrokerFlags, io, async ({ catalog }) =>
        show(catalog.tools(LOCAL).items, 'No tools. Load a component: witbox component load FILE'),
      );
    }
  },
});

function rowsOf(tools: readonly Listed[], io: Io): string {
  const safe = (text: string): string => (io.isTerminal ? printable(text) : text);
  return table(tools.map(({ name, description }) => [safe(name), safe(firstLine(description))]));
}
