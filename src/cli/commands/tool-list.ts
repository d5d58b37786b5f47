// `witbox tool list`: the tools of the components in the data directory, or of those given.

import { defineCommand } from '../command.ts';
import { printJson } from '../open-store.ts';
import { BROKER_FLAGS, type BrokerFlags, withBroker } from '../with-broker.ts';

export const toolList = defineCommand({
  args: '',
  arity: [0, 0],
  help: `
Shows the tools of all components in the data directory, or only of those given with --component.

  witbox tool list
  witbox tool list --component calculator.wasm --json
`,
  flags: BROKER_FLAGS,
  async run({ flags }, io) {
    await withBroker(flags as BrokerFlags, io, async ({ catalog }) => {
      const tools = catalog.tools({ id: 'local' }).items;
      if (flags.json) printJson(io, tools);
      else if (tools.length === 0) io.out('No tools. Load a component: witbox component load FILE\n');
      for (const { name, description = '' } of flags.json ? [] : tools) {
        io.out(`${name}${description === '' ? '' : `  ${description.split('\n')[0]}`}\n`);
      }
    });
  },
});
