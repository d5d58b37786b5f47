// `witbox secret set`: keeps a secret for a component, encrypted. What the component gets of it is for its policy to say.

import { WitboxError } from '../../core/errors.ts';
import { defineCommand } from '../command.ts';
import { openSecrets } from '../open-secrets.ts';
import { printJson, STORE_FLAGS } from '../open-store.ts';
import { readSecret } from '../secret-input.ts';

export const secretSet = defineCommand({
  args: 'COMPONENT KEY',
  // A third one is refused in words that do not repeat it.
  arity: [2, 3],
  help: `
Keeps a secret for a component, encrypted in the data directory. The value is asked for without being shown, or read
from standard input or a file, never from an argument. Nobody gets it until you grant it: as an environment variable
to the component, or to requests that Witbox sends for it, so that the component never sees it.

  witbox secret set weather API_KEY
  pass show weather | witbox secret set weather API_KEY
  witbox secret set weather API_KEY --value-file key.txt
  witbox permission grant weather secret API_KEY --host api.example.com --header Authorization --value 'Bearer {secret}'
`,
  flags: {
    'value-file': { type: 'string', value: 'FILE', summary: 'Read the value from this file' },
    ...STORE_FLAGS,
  },
  async run({ args: [id = '', key = '', value], flags }, io) {
    if (value !== undefined)
      throw new WitboxError('usage', {
        problem: 'A value is never taken from an argument, which others can see: give it on standard input',
        help: 'witbox secret set --help',
      });
    const { store, secrets } = await openSecrets(flags, io);
    // Before anybody types a value for nothing.
    store.get(id);
    const question = `Value of ${key} for "${id}": `;
    await secrets.set(id, key, await readSecret(flags['value-file'], question, io));
    if (flags.json) printJson(io, { component: id, key, changed: true });
    else io.out(`Set secret ${key} for "${id}"\n`);
  },
});
