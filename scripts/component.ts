// `npm run component -- CORE WIT OUT`: makes a component of a core module that follows the canonical ABI, such as C
// compiled with clang, by putting the contract of a WIT file into it. Fetches jco the first time.

import { readFileSync, writeFileSync } from 'node:fs';
import { importJco } from '../test/toolchain/npm-tools.ts';

const [core, wit, out] = process.argv.slice(2);
if (core === undefined || wit === undefined || out === undefined) {
  console.error('Usage: npm run component -- CORE.wasm WORLD.wit OUT.wasm');
  process.exitCode = 2;
} else {
  const jco = await importJco();
  const embedded = await jco.componentEmbed({
    binary: readFileSync(core),
    witSource: readFileSync(wit, 'utf8'),
  });
  writeFileSync(out, await jco.componentNew(embedded, []));
}
