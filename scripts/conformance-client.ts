// Runs the official client scenarios with examples/integration-client and compares counts, at each revision they know: a
// scenario that checks nothing prints a tick too. Fails on any failed check or on too few passed.
// Usage: node scripts/conformance-client.ts [--revision 2026-07-28] [--scenario NAME] [--quiet]

import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { parseArgs, promisify } from 'node:util';

interface Run {
  readonly revision: string;
  /** Checks passed by the client of the official SDK, which ours must reach. */
  readonly least: number;
}

const RUNS: readonly Run[] = [
  { revision: '2025-03-26', least: 21 },
  { revision: '2025-06-18', least: 63 },
  { revision: '2025-11-25', least: 259 },
  { revision: '2026-07-28', least: 409 },
];

const { values } = parseArgs({
  options: { revision: { type: 'string' }, scenario: { type: 'string' }, quiet: { type: 'boolean' } },
});
const root = resolve(import.meta.dirname, '..');
const suite = join(
  dirname(createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/package.json')),
  'dist/index.js',
);
const command = `${process.execPath} ${join(root, 'examples/integration-client/conformance.ts')}`;

let failed = false;
for (const run of RUNS.filter(
  ({ revision }) => values.revision === undefined || revision === values.revision,
)) {
  const output = await check(run);
  const [, passed = '0', wrong = '1'] = /Total: (\d+) passed, (\d+) failed/.exec(output) ?? [];
  const good = Number(wrong) === 0 && (values.scenario !== undefined || Number(passed) >= run.least);
  failed ||= !good;
  console.log(
    `${good ? 'ok    ' : 'FAILED'} ${run.revision}: ${passed} passed, ${wrong} failed (official SDK: ${run.least})`,
  );
  if (!good || !values.quiet) console.log(output);
}
if (failed) process.exitCode = 1;

async function check({ revision }: Run): Promise<string> {
  const which = values.scenario === undefined ? ['--suite', 'all'] : ['--scenario', values.scenario];
  const args = [suite, 'client', '--command', command, ...which, '--spec-version', revision];
  try {
    return (await promisify(execFile)(process.execPath, args, { cwd: root, maxBuffer: 1 << 26 })).stdout;
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    return stdout + stderr;
  }
}
