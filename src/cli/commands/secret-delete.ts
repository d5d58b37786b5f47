// `witbox secret delete`: forgets a secret. A server that is running does so from the next call on.

import { defineCommand } from '../command.ts';
import { openSecrets } from '../open-secrets.ts';
import { printJson, STORE_FLAGS } from '../open-store.ts';

export const secretDelete = defineCommand({
  args: 'COMPONENT KEY',
  arity: [2, 2],
  help: `
Forgets a secret of a component. What was granted about it stays in the policy, and is denied until it is set again.
Needs no key, so that a lost one is no reason to be stuck.

  witbox secret delete weather API_KEY
`,
  flags: STORE_FLAGS,
  async run({ args: [id = '', key = ''], flags }, io) {
    const { secrets } = await openSecrets(flags, io);
    await secrets.delete(id, key);
    if (flags.json) printJson(io, { component: id, key, deleted: true });
    else io.out(`Deleted secret ${key} of "${id}"\n`);
  },
});
