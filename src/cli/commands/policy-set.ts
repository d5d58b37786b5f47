// `witbox policy set`: replaces the policy of a component by a document, if that can be enforced.

import { parsePolicy } from '../../policy/parse.ts';
import { defineCommand, type Io } from '../command.ts';
import { openStore, printJson, STORE_FLAGS } from '../open-store.ts';
import { readNamedFile } from '../read-file.ts';

const MAX_BYTES = 64 * 1024;

export const policySet = defineCommand({
  args: 'COMPONENT FILE',
  arity: [2, 2],
  help: `
Makes a document the policy of a component; "-" reads it from standard input. A document with a rule that
cannot be enforced is refused, and the policy stays as it was.

  witbox policy set weather weather.policy.yaml
  witbox policy get weather --requested | witbox policy set weather -
`,
  flags: STORE_FLAGS,
  async run({ args: [id = '', file = ''], flags }, io) {
    const store = openStore(flags['data-dir'], io);
    store.get(id);
    const text =
      file === '-' ? await readStdin(io) : new TextDecoder().decode(await readNamedFile(file, MAX_BYTES));
    parsePolicy(text, file === '-' ? 'standard input' : file);
    await store.changePolicy(id, () => text);
    if (flags.json) printJson(io, { component: id });
    else io.out(`Set the policy of "${id}"\n`);
  },
});

/** One byte more than may be: the parser then says that it is too large. */
async function readStdin(io: Io): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of io.stdin) {
    chunks.push(Buffer.from(chunk));
    length += chunk.length;
    if (length > MAX_BYTES) break;
  }
  return Buffer.concat(chunks).toString('utf8');
}
