// Runs the official conformance suite against a server, at each revision it knows, and compares counts: a scenario
// that checks nothing prints a tick too, so exit codes say little. Fails on any failed check or on too few passed.
// The server is Witbox as it is installed, and the fixtures are a component in a cell (examples/conformance);
// `--fixture` serves the fixtures of the tests instead, without Wasm, to tell the two apart.
// Usage: node scripts/conformance.ts [--url http://…/mcp | --fixture] [--revision 2026-07-28] [--quiet]

import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs, promisify } from 'node:util';
import { buildExample } from '../examples/build.ts';
import { exampleNamed } from '../examples/list.ts';
import { serve } from '../examples/serve.ts';

interface Run {
  readonly title: string;
  readonly args: readonly string[];
  /** Checks passed by the server of the official SDK. */
  readonly official: number;
  /** What ours must reach: never less than the official one, nor than it has reached before. */
  readonly least: number;
}

interface Target {
  readonly url: string;
  close(): Promise<void>;
}

const RUNS: readonly Run[] = [
  { title: '2025-03-26', args: ['--suite', 'all', '--spec-version', '2025-03-26'], official: 3, least: 3 },
  { title: '2025-06-18', args: ['--suite', 'all', '--spec-version', '2025-06-18'], official: 56, least: 56 },
  { title: '2025-11-25', args: ['--suite', 'all', '--spec-version', '2025-11-25'], official: 84, least: 84 },
  {
    title: '2026-07-28',
    args: ['--suite', 'all', '--spec-version', '2026-07-28'],
    official: 152,
    least: 152,
  },
  { title: 'all and extensions', args: ['--suite', 'all'], official: 202, least: 233 },
];

const { values } = parseArgs({
  options: {
    url: { type: 'string' },
    fixture: { type: 'boolean' },
    revision: { type: 'string' },
    quiet: { type: 'boolean' },
  },
});
const root = resolve(import.meta.dirname, '..');
const suite = join(
  dirname(createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/package.json')),
  'dist/index.js',
);

const target =
  values.url === undefined
    ? await (values.fixture ? startFixture() : startComponent())
    : { url: values.url, async close() {} };
let failed = false;
for (const run of RUNS.filter(({ title }) => values.revision === undefined || title === values.revision)) {
  const output = await check(run);
  const [, passed = '0', wrong = '1'] = /Total: (\d+) passed, (\d+) failed/.exec(output) ?? [];
  const good = Number(wrong) === 0 && Number(passed) >= run.least;
  failed ||= !good;
  console.log(
    `${good ? 'ok    ' : 'FAILED'} ${run.title}: ${passed} passed, ${wrong} failed (official SDK: ${run.official})`,
  );
  if (!good || !values.quiet)
    console.log(
      output
        .split('\n')
        .filter((line) => /^[✓✗⚠~]| {2}- |Error/.test(line))
        .join('\n'),
    );
}
await target.close();
if (failed) process.exitCode = 1;

async function check({ args }: Run): Promise<string> {
  const all = [suite, 'server', '--url', target.url, ...args];
  try {
    return (await promisify(execFile)(process.execPath, all, { maxBuffer: 1 << 26 })).stdout;
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    return stdout + stderr;
  }
}

async function startComponent(): Promise<Target> {
  const file = await buildExample(exampleNamed('conformance'));
  const served = await serve({ components: [{ file, policy: 'requested' }] });
  return { url: `${served.origin}/mcp`, close: served.close };
}

async function startFixture(): Promise<Target> {
  const child = spawn(process.execPath, [join(root, 'test/mcp/fixture/serve.ts')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [port] = (await once(createInterface(child.stdout!), 'line')) as [string];
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    async close() {
      child.kill();
    },
  };
}
