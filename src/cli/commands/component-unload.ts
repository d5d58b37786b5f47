// `witbox component unload`: forgets a component, its policy and its bytes.

import { defineCommand } from '../command.ts';
import { openStore, printJson, STORE_FLAGS } from '../open-store.ts';

export const componentUnload = defineCommand({
  args: 'COMPONENT',
  arity: [1, 1],
  help: `
Removes a component from the data directory, with everything that was granted to it.

  witbox component unload weather
`,
  flags: STORE_FLAGS,
  async run({ args: [id = ''], flags }, io) {
    const store = openStore(flags['data-dir'], io);
    const gone = await store.unload(id);
    if (flags.json) printJson(io, gone);
    else io.out(`Unloaded "${gone.id}"\n`);
  },
});
