// `witbox secret rekey`: encrypts all secrets with another key. All of them or, if anything fails, none.

import { WitboxError } from '../../core/errors.ts';
import type { SecretKeyOptions } from '../../core/secret-key-options.ts';
import { keySource } from '../../store/secrets/key-source.ts';
import { defineCommand } from '../command.ts';
import { openSecrets } from '../open-secrets.ts';
import { printJson, STORE_FLAGS } from '../open-store.ts';

export const secretRekey = defineCommand({
  args: '',
  arity: [0, 0],
  help: `
Encrypts all secrets anew. Without --to with a fresh key in the place of the present one, which servers that are
running take up by themselves; with it, with the key in that place, which is made there if there is none. Then say so
in the configuration and restart them.

  witbox secret rekey
  witbox secret rekey --to file:/etc/witbox/secrets.key
  witbox secret rekey --to environment:WITBOX_SECRET_KEY
  witbox secret rekey --to keyring
`,
  flags: {
    to: { type: 'string', value: 'PLACE', summary: 'file:PATH, environment:NAME or keyring' },
    ...STORE_FLAGS,
  },
  async run({ flags }, io) {
    const { store, secrets, source } = await openSecrets(flags, io);
    const next =
      flags.to === undefined
        ? source
        : keySource(readPlace(flags.to), { env: io.env, dataDir: store.directory });
    const count = await secrets.rekey(next);
    if (flags.json) printJson(io, { secrets: count, key: next.name });
    else
      io.out(`Encrypted ${count} ${count === 1 ? 'secret' : 'secrets'} with the key in the ${next.name}\n`);
  },
});

function readPlace(text: string): SecretKeyOptions {
  if (text === 'keyring') return { keyring: true };
  const [, kind, rest] = /^(file|environment):(.+)$/s.exec(text) ?? [];
  if (kind === 'file') return { file: rest! };
  if (kind === 'environment' && /^[A-Za-z_][A-Za-z0-9_]*$/.test(rest!)) return { environment: rest! };
  throw new WitboxError('flag-invalid', {
    flag: '--to',
    value: text,
    expected: 'file:PATH, environment:NAME or keyring',
  });
}
