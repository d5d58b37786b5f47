// `witbox policy learn`: runs a tool with what is granted now, notes what is denied, and prints the smallest policy that
// would let it pass. For a person to review: it never grants.

import { WitboxError } from '../../core/errors.ts';
import { learnPolicy } from '../../policy/learn.ts';
import { parsePermission } from '../../policy/permission.ts';
import { defineCommand } from '../command.ts';
import { printJson, STORE_FLAGS } from '../open-store.ts';
import { readArguments } from '../tool-arguments.ts';
import { type BrokerFlags, localContext, withBroker } from '../with-broker.ts';

export const policyLearn = defineCommand({
  args: 'COMPONENT TOOL [NAME=VALUE …]',
  arity: [2, 100],
  help: `
Calls a tool of a component and prints the smallest policy that would allow what was denied in that call. A call
often stops at its first denial: grant, and learn again. Nothing is granted by this command.

  witbox policy learn weather get-weather location=Seattle
`,
  flags: {
    args: { type: 'string', value: 'JSON', summary: 'All arguments as one JSON object' },
    ...STORE_FLAGS,
  },
  async run({ args: [id = '', name = '', ...pairs], flags }, io) {
    const args = readArguments(flags.args, pairs);
    const signal = io.stopSignal();
    await withBroker(flags as BrokerFlags, io, async ({ catalog, components, store }) => {
      store.get(id);
      const component = components.get(id);
      if (component === undefined) {
        throw new WitboxError('component-unusable', {
          id,
          problem: components.problems().get(id) ?? 'it is not loaded',
        });
      }
      await catalog
        .callTool({ name: `${id}.${name}`, arguments: args }, localContext(signal, io))
        .catch((error: unknown) => {
          if (!(error instanceof WitboxError) || error.code !== 'permission-denied') throw error;
        });
      const denials = component.log.recent().at(-1)?.denials ?? [];
      const document = learnPolicy(denials.flatMap(({ permission }) => parsePermission(permission)));
      if (flags.json) printJson(io, { component: id, denials, policy: document });
      else if (denials.length === 0)
        io.out(`Nothing was denied: "${id}" needs no more than it has for this call\n`);
      else io.out(document);
    });
  },
});
