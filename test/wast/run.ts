// Runs component-model scripts (the specification's test suite, other engines' tests) against this engine:
//
//   npm run test:wast -- FOLDER [PREPARED] [--filter TEXT] [--failures] [--json] [--mutate]
//
// FOLDER has the runner (run.mjs, and prepare.mjs, which turns .wast files into PREPARED, FOLDER/prepared if not
// given). Neither the runner nor the scripts are part of this repository. Every command outside of folders named
// `async` must pass; those inside need WASI 0.3.

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const [folder, ...rest] = process.argv.slice(2);
const runner = join(folder ?? '', 'run.mjs');
if (folder === undefined || !existsSync(runner)) {
  console.error('usage: npm run test:wast -- FOLDER [PREPARED] [options of the runner]');
  process.exit(2);
}
const given = rest[0] !== undefined && !rest[0].startsWith('-') ? rest.shift() : undefined;
const adapter = fileURLToPath(new URL('adapter.ts', import.meta.url));
const args = [runner, '--engine', adapter, given ?? join(folder, 'prepared'), ...rest];
process.exitCode = spawnSync(process.execPath, args, { stdio: 'inherit' }).status ?? 1;
