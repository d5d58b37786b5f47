// `npm run examples`: builds the example components that are missing, in JavaScript into .cache/examples. With
// `--committed` it rebuilds those in C and WAT as well, whose results are committed and whose toolchains few have.
// Usage: node scripts/build-examples.ts [--committed] [NAME …]

import { statSync } from 'node:fs';
import { relative } from 'node:path';
import { parseArgs } from 'node:util';
import { rebuildCommitted } from '../examples/build.ts';
import { buildWithProgress } from '../examples/build-progress.ts';
import { EXAMPLES, exampleNamed } from '../examples/list.ts';

const { values, positionals } = parseArgs({
  options: { committed: { type: 'boolean' } },
  allowPositionals: true,
});
const wanted = positionals.length > 0 ? positionals.map(exampleNamed) : EXAMPLES;

if (values.committed) {
  for (const example of wanted.filter(({ language }) => language !== 'js')) {
    const file = await rebuildCommitted(example);
    console.log(`${relative('.', file)}: ${statSync(file).size} bytes`);
  }
}
for (const [{ name }, file] of await buildWithProgress(wanted, process.stderr)) {
  console.log(`${name}: ${relative('.', file)}, ${statSync(file).size} bytes`);
}
