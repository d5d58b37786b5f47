// `witbox permission reset`: back to nothing granted, for all or for one kind.

import { resetPermissions } from '../../policy/edit.ts';
import { defineCommand } from '../command.ts';
import { readKind } from '../grant-value.ts';
import { openStore, printJson, STORE_FLAGS } from '../open-store.ts';

export const permissionReset = defineCommand({
  args: 'COMPONENT [KIND]',
  arity: [1, 2],
  help: `
Takes back everything that a component's policy says, or everything of one kind: nothing is granted then, and
limits have their defaults.

  witbox permission reset weather
  witbox permission reset weather network
`,
  flags: STORE_FLAGS,
  async run({ args: [id = '', kindText], flags }, io) {
    const kind = kindText === undefined ? undefined : readKind(kindText, 'witbox permission reset --help');
    const store = openStore(flags['data-dir'], io);
    await store.changePolicy(id, (text) => resetPermissions(text, kind));
    if (flags.json) printJson(io, { component: id, kind: kind ?? null });
    else io.out(`Reset ${kind === undefined ? 'all permissions' : kind} of "${id}"\n`);
  },
});
