// `witbox policy explain`: may this component do that? Yes or no, and the rule that says so.

import type { Decision } from '../../policy/decide.ts';
import { explain } from '../../policy/explain.ts';
import { defineCommand } from '../command.ts';
import { openStore, printJson, STORE_FLAGS } from '../open-store.ts';

export const policyExplain = defineCommand({
  args: 'COMPONENT PERMISSION',
  arity: [2, 2],
  help: `
Answers whether a component may do something, and which rule of its policy says so. The exit status is 0 for
yes and 1 for no. A name is decided before it is looked up: at the call, its address is decided as well.

  witbox policy explain weather network:api.example.com
  witbox policy explain weather network:https://api.example.com:8443
  witbox policy explain notes 'storage:fs:///srv/notes/today.md (write)'
  witbox policy explain weather environment:API_KEY
`,
  flags: STORE_FLAGS,
  async run({ args: [id = '', permission = ''], flags }, io) {
    const store = openStore(flags['data-dir'], io);
    const decisions = explain(store.policy(id), permission);
    if (flags.json) printJson(io, decisions);
    else io.out(decisions.map(line).join(''));
    return decisions.every(({ allowed }) => allowed) ? 0 : 1;
  },
});

function line({ allowed, permission, reason, rule }: Decision): string {
  return `${allowed ? 'yes' : 'no'}  ${permission}  ${reason}${rule === null ? '' : `: ${rule}`}\n`;
}
