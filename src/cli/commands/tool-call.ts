// `witbox tool call`: one call of one tool, in a cell, with what its component's policy grants.

import { WitboxError } from '../../core/errors.ts';
import { defineCommand } from '../command.ts';
import { printJson } from '../open-store.ts';
import { readArguments } from '../tool-arguments.ts';
import { BROKER_FLAGS, type BrokerFlags, localContext, withBroker } from '../with-broker.ts';

export const toolCall = defineCommand({
  args: 'TOOL [NAME=VALUE …]',
  arity: [1, 100],
  help: `
Calls a tool of a component in the data directory, or of one given with --component. Arguments are NAME=VALUE,
where VALUE is JSON if it can be read as JSON and else a string; or one JSON object with --args.
The exit status is 1 if the tool answers with an error.

  witbox tool call add a=5 b=3
  witbox tool call add --component calculator.wasm --args '{"a": 5, "b": 3}'
`,
  flags: {
    args: { type: 'string', value: 'JSON', summary: 'All arguments as one JSON object' },
    ...BROKER_FLAGS,
  },
  run({ args: [name = '', ...pairs], flags }, io) {
    const args = readArguments(flags.args, pairs);
    const signal = io.stopSignal();
    return withBroker(flags as BrokerFlags, io, async ({ catalog }) => {
      const outcome = await catalog.callTool({ name, arguments: args }, localContext(signal, io));
      if (outcome.kind !== 'complete') throw new WitboxError('tool-asks', { name });
      if (flags.json) {
        const { kind: _, ...result } = outcome;
        printJson(io, result);
      } else {
        for (const block of outcome.content) {
          if (block.type === 'text') io.out(block.text.endsWith('\n') ? block.text : `${block.text}\n`);
          else io.out(`[${block.type}]\n`);
        }
      }
      return outcome.isError ? 1 : 0;
    });
  },
});
