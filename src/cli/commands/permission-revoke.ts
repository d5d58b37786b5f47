// `witbox permission revoke`: takes one rule or limit out of a component's policy. In force from the next call on.

import { WitboxError } from '../../core/errors.ts';
import { type Revocation, revokePermission } from '../../policy/edit.ts';
import { defineCommand } from '../command.ts';
import { readAccess, readKind, revocationValue } from '../grant-value.ts';
import { openStore, printJson, STORE_FLAGS } from '../open-store.ts';

const HELP = 'witbox permission revoke --help';

export const permissionRevoke = defineCommand({
  args: 'COMPONENT KIND [VALUE]',
  arity: [2, 3],
  help: `
Takes back what was granted, named as it was granted. A limit has no VALUE: it goes back to its default.

  witbox permission revoke weather network api.example.com
  witbox permission revoke notes storage ./notes --access write
  witbox permission revoke weather secret API_KEY
  witbox permission revoke weather memory
`,
  flags: {
    access: { type: 'string', value: 'ACCESS', summary: 'For storage: take back only read or only write' },
    ...STORE_FLAGS,
  },
  async run({ args: [id = '', kindText = '', value], flags }, io) {
    const kind = readKind(kindText, HELP);
    const access = flags.access === undefined ? undefined : readAccess(flags.access, HELP);
    const [first, second] = revocationValue(kind, value, process.cwd(), HELP);
    const store = openStore(flags['data-dir'], io);
    await store.changePolicy(id, (text) => revokeEither(text, { kind, value: first, access }, second));
    if (flags.json) printJson(io, { component: id, kind, value: value ?? null });
    else io.out(`Revoked ${kind}${value === undefined ? '' : ` ${value}`} for "${id}"\n`);
  },
});

/** A path may have been granted as itself or, being a directory then, with all that is in it. */
function revokeEither(text: string, revocation: Revocation, other: string | undefined): string {
  try {
    return revokePermission(text, revocation);
  } catch (error) {
    if (other === undefined || !(error instanceof WitboxError) || error.code !== 'grant-not-found')
      throw error;
    return revokePermission(text, { ...revocation, value: other });
  }
}
