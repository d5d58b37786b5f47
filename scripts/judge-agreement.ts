// Holds our checks against the official conformance suite where both look at the same rule: a server that keeps the rule
// and one that breaks it must get the same verdicts from both. The servers are those of test/broken-servers. What only
// one of the two looks at, and where they differ by intent, is in docs/check.md.
// Usage: node scripts/judge-agreement.ts [ID …]

import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify, stripVTControlCharacters } from 'node:util';
import type { Revision } from '../src/check/model.ts';
import { runChecks } from '../src/check/run.ts';
import { BROKEN } from '../test/broken-servers/faults.ts';
import type { Fault } from '../test/broken-servers/server.ts';
import { serveHttp } from '../test/broken-servers/transports/http.ts';

interface Rule {
  readonly id: string;
  readonly scenario: string;
  readonly revision: Revision;
  /** Where the suite breaks two rules at once, the server must break both to be found out by it. */
  readonly fault?: Fault;
}

const old = (id: string, scenario: string): Rule => ({ id, scenario, revision: '2025-11-25' });
const modern = (id: string, scenario: string): Rule => ({ id, scenario, revision: '2026-07-28' });
const anywhere: Fault = { http: { anyOrigin: true, anyHost: true } };

const RULES: readonly Rule[] = [
  { ...old('H01', 'dns-rebinding-protection'), fault: anywhere },
  { ...old('H02', 'dns-rebinding-protection'), fault: anywhere },
  old('H14', 'server-session-lifecycle'),
  { ...modern('V04', 'server-stateless'), fault: withoutVersions() },
  modern('V11', 'server-stateless'),
  modern('H16', 'server-stateless'),
  modern('F20', 'server-stateless'),
  modern('H17', 'http-header-validation'),
  modern('H25', 'http-custom-header-server-validation'),
  { ...modern('V03', 'caching'), fault: withoutHints() },
  { ...modern('F07', 'sep-2164-resource-not-found'), fault: notFoundAsOther() },
];

/** At 2026-07-28 a resource that is not there has -32602. */
function notFoundAsOther(): Fault {
  return {
    answer: (answer, { method }) =>
      method === 'resources/read' && answer.error !== undefined
        ? { ...answer, error: { code: -32603, message: 'Resource not found' } }
        : answer,
  };
}

/** The suite looks at what the error tells, ours at its code too. */
function withoutVersions(): Fault {
  return {
    answer(answer) {
      const { code, message } = (answer.error ?? {}) as Record<string, unknown>;
      return code === -32022 ? { ...answer, error: { code, message } } : answer;
    },
  };
}

/** At 2026-07-28 lists say how long they may be kept. */
function withoutHints(): Fault {
  return {
    answer(answer, { method }) {
      if (method !== 'tools/list' || answer.result === undefined) return answer;
      const { ttlMs: _, ...rest } = answer.result as Record<string, unknown>;
      return { ...answer, result: rest };
    },
  };
}

const suite = join(
  dirname(createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/package.json')),
  'dist/index.js',
);

/** The names of the official checks that passed and that failed. */
async function official(url: URL, { scenario, revision }: Rule): Promise<Map<string, boolean>> {
  const args = [suite, 'server', '--url', url.href, '--scenario', scenario, '--spec-version', revision];
  const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 1 << 26 }).catch(
    (error: { stdout: string }) => error,
  );
  const verdicts = new Map<string, boolean>();
  const lines = stripVTControlCharacters(stdout).matchAll(/\[([\w-]+) *\] (SUCCESS|FAILURE|WARNING)/g);
  for (const [, name = '', outcome] of lines)
    verdicts.set(name, outcome === 'SUCCESS' && verdicts.get(name) !== false);
  return verdicts;
}

async function ours(url: URL, { id, revision }: Rule): Promise<string> {
  const options = { milliseconds: 10_000, allowCalls: ['*'], argumentsByTool: {}, skip: [], only: [id] };
  const report = await runChecks([{ transport: 'http', url, headers: {} }], {
    ...options,
    revisions: [revision],
  });
  return report.findings[0]?.verdict.status ?? 'nothing';
}

async function judge(rule: Rule): Promise<boolean> {
  const kept = await serveHttp({});
  const broken = await serveHttp(rule.fault ?? BROKEN[rule.id]!.fault);
  try {
    const [good, bad] = [await official(kept.url, rule), await official(broken.url, rule)];
    const found = [...good].filter(([name, passed]) => passed && bad.get(name) === false);
    const own = [await ours(kept.url, rule), await ours(broken.url, rule)];
    const agrees = found.length > 0 && own.join() === 'pass,fail';
    const said = found.map(([name]) => name).join(', ') || 'nothing found';
    console.log(`${agrees ? 'ok    ' : 'FAILED'} ${rule.id} ${own.join(' / ')}; ${rule.scenario}: ${said}`);
    return agrees;
  } finally {
    await kept.close();
    await broken.close();
  }
}

const wanted = process.argv.slice(2);
for (const rule of RULES.filter(({ id }) => wanted.length === 0 || wanted.includes(id)))
  if (!(await judge(rule))) process.exitCode = 1;
