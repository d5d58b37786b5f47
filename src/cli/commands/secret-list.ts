// `witbox secret list`: which secrets are kept, for whom, and since when. Never their values.

import { defineCommand } from '../command.ts';
import { openSecrets } from '../open-secrets.ts';
import { printJson, STORE_FLAGS } from '../open-store.ts';

export const secretList = defineCommand({
  args: '[COMPONENT]',
  arity: [0, 1],
  help: `
Shows the names of the secrets of all components or of one, and when each was set. Needs no key and shows no value.

  witbox secret list
  witbox secret list weather --json
`,
  flags: STORE_FLAGS,
  async run({ args: [id], flags }, io) {
    const { secrets } = await openSecrets(flags, io);
    const listed = secrets.list(id);
    if (flags.json) printJson(io, listed);
    else if (listed.length === 0) io.err('There are no secrets\n');
    else for (const { component, key, setAt } of listed) io.out(`${component}  ${key}  set ${setAt}\n`);
  },
});
