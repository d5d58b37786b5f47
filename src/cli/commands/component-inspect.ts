// `witbox component inspect`: what is in a file, without running any of it.

import { WitboxError } from '../../core/errors.ts';
import { printWorld } from '../../wit/print.ts';
import { defineCommand } from '../command.ts';
import { inspect } from '../inspection.ts';
import { inspectionText } from '../inspection-text.ts';
import { readNamedFile } from '../read-file.ts';

const MAX_BYTES = 2 ** 28;

export const componentInspect = defineCommand({
  args: 'FILE',
  arity: [1, 1],
  help: `
Shows the tools of a WebAssembly component or core module, what it imports, what these imports mean in
permissions, its size and digest. Nothing of it is run.

  witbox component inspect weather.wasm
  witbox component inspect weather.wasm --wit > weather.wit
  witbox component inspect weather.wasm --json | jq '.tools[].name'
`,
  flags: {
    json: { type: 'boolean', summary: 'Print everything as one JSON object' },
    wit: { type: 'boolean', summary: 'Print the world as WIT' },
    schema: { type: 'boolean', summary: 'Print the JSON Schemas of the tools' },
  },
  async run({ args: [file = ''], flags }, io) {
    const bytes = await readNamedFile(file, MAX_BYTES);
    const { inspection, type, docs } = await inspectNamed(file, bytes);
    const wit = flags.wit ? printWorld(type, { docs }) : null;
    if (flags.json) {
      io.out(`${JSON.stringify({ file, ...inspection, ...(wit !== null && { wit }) }, null, 2)}\n`);
      return;
    }
    if (wit !== null) io.out(wit);
    if (flags.schema) {
      const schemas = inspection.tools.map(({ name, inputSchema, outputSchema }) => ({
        name,
        inputSchema,
        ...(outputSchema && { outputSchema }),
      }));
      io.out(`${JSON.stringify(schemas, null, 2)}\n`);
    }
    if (wit === null && !flags.schema) io.out(inspectionText(file, inspection));
  },
});

async function inspectNamed(file: string, bytes: Uint8Array): ReturnType<typeof inspect> {
  try {
    const found = await inspect(bytes);
    const { kind, tools, leftovers } = found.inspection;
    const unfit = leftovers.at(-1);
    if (kind === 'module' && tools.length === 0 && unfit) {
      throw new WitboxError('inspect-failed', {
        file,
        reason: `no function can be a tool: "${unfit.path.join(' ')}" ${unfit.reason}`,
      });
    }
    return found;
  } catch (error) {
    if (!(error instanceof WitboxError) || error.code === 'inspect-failed') throw error;
    throw new WitboxError('inspect-failed', { file, reason: error.message }, error);
  }
}
