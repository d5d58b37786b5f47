// Runs the official conformance suite against a server, at each revision it knows, and compares counts: a scenario
// that checks nothing prints a tick too, so exit codes say little. Fails on any failed check or on too few passed.
// Usage: node scripts/conformance.ts [--url http://…/mcp] [--revision 2026-07-28] [--quiet]

import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs, promisify } from 'node:util';

interface Run {
  readonly title: string;
  readonly args: readonly string[];
  /** Checks passed by the server of the official SDK, which ours must reach. */
  readonly least: number;
}

const RUNS: readonly Run[] = [
  { title: '2025-03-26', args: ['--suite', 'all', '--spec-version', '2025-03-26'], least: 3 },
  { title: '2025-06-18', args: ['--suite', 'all', '--spec-version', '2025-06-18'], least: 56 },
  { title: '2025-11-25', args: ['--suite', 'all', '--spec-version', '2025-11-25'], least: 84 },
  { title: '2026-07-28', args: ['--suite', 'all', '--spec-version', '2026-07-28'], least: 152 },
  { title: 'all and extensions', args: ['--suite', 'all'], least: 202 },
];

const { values } = parseArgs({
  options: { url: { type: 'string' }, revision: { type: 'string' }, quiet: { type: 'boolean' } },
});
const root = resolve(import.meta.dirname, '..');
const suite = join(
  dirname(createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/package.json')),
  'dist/index.js',
);

const own = values.url === undefined ? await start() : null;
const url = values.url ?? `http://127.0.0.1:${own?.port}/mcp`;
let failed = false;
for (const run of RUNS.filter(({ title }) => values.revision === undefined || title === values.revision)) {
  const output = await check(run);
  const [, passed = '0', wrong = '1'] = /Total: (\d+) passed, (\d+) failed/.exec(output) ?? [];
  const good = Number(wrong) === 0 && Number(passed) >= run.least;
  failed ||= !good;
  console.log(
    `${good ? 'ok    ' : 'FAILED'} ${run.title}: ${passed} passed, ${wrong} failed (official SDK: ${run.least})`,
  );
  if (!good || !values.quiet)
    console.log(
      output
        .split('\n')
        .filter((line) => /^[✓✗⚠~]| {2}- |Error/.test(line))
        .join('\n'),
    );
}
own?.child.kill();
if (failed) process.exitCode = 1;

async function check({ args }: Run): Promise<string> {
  const all = [suite, 'server', '--url', url, ...args];
  try {
    return (await promisify(execFile)(process.execPath, all, { maxBuffer: 1 << 26 })).stdout;
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    return stdout + stderr;
  }
}

async function start(): Promise<{ child: ChildProcess; port: string }> {
  const child = spawn(process.execPath, [join(root, 'test/mcp/fixture/serve.ts')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [port] = (await once(createInterface(child.stdout!), 'line')) as [string];
  return { child, port };
}
