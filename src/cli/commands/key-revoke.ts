// `witbox key revoke`: an API key ends, at once and for good.

import { defineCommand } from '../command.ts';
import { openKeys } from '../open-keys.ts';
import { printJson, STORE_FLAGS } from '../open-store.ts';

export const keyRevoke = defineCommand({
  args: 'NAME',
  arity: [1, 1],
  help: `
Ends an API key. A server that is running refuses it from the next request on and closes what its holder has open. A
new key may have the name again; it is another caller then.

  witbox key revoke ci
`,
  flags: STORE_FLAGS,
  async run({ args: [name = ''], flags }, io) {
    const { lastFour } = await openKeys(flags['data-dir'], io).revoke(name);
    if (flags.json) printJson(io, { name, revoked: true });
    else io.out(`Revoked key "${name}", which ended in ${lastFour}\n`);
    return undefined;
  },
});
