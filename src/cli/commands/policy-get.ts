// `witbox policy get`: the policy of a component as it is kept, or the one that its author asks for.

import { documentJson } from '../../policy/document.ts';
import { defineCommand, type Io } from '../command.ts';
import { openStore, printJson, STORE_FLAGS } from '../open-store.ts';

export const policyGet = defineCommand({
  args: 'COMPONENT',
  arity: [1, 1],
  help: `
Prints the policy document of a component. With --requested, the one that came with it: it grants nothing
until you set it.

  witbox policy get weather
  witbox policy get weather --requested > weather.policy.yaml
`,
  flags: {
    requested: { type: 'boolean', summary: 'The policy that the component asks for' },
    ...STORE_FLAGS,
  },
  async run({ args: [id = ''], flags }, io) {
    const store = openStore(flags['data-dir'], io);
    const text = flags.requested ? store.sidecar(id, 'requested') : store.policyText(id);
    if (flags.json) printJson(io, text === undefined ? null : documentJson(text));
    else if (text === undefined) io.err(`"${id}" asks for no permissions\n`);
    else io.out(forReader(text, io));
  },
});

/** The author of a requested policy is not trusted: nothing in it may steer a terminal. A pipe gets it as it is. */
function forReader(text: string, io: Io): string {
  const whole = text.endsWith('\n') ? text : `${text}\n`;
  return io.isTerminal ? whole.replace(/[^\P{C}\n\t]/gu, '\ufffd') : whole;
}
