// `witbox check`: compliance of any MCP server, from raw bytes. Exit 0 without failures, 1 with, 2 if the target could
// not be reached.

import { readFile } from 'node:fs/promises';
import { compareToBaseline, parseBaseline } from '../../check/baseline.ts';
import { isObject, type JsonObject } from '../../check/message.ts';
import { REVISIONS, type Revision } from '../../check/model.ts';
import { CHECKS } from '../../check/registry.ts';
import { checkTable } from '../../check/report/check-table.ts';
import { htmlReport } from '../../check/report/html.ts';
import { jsonReport, junitReport, sarifReport } from '../../check/report/machine.ts';
import { markdownReport } from '../../check/report/markdown.ts';
import { type Report, type RunOptions, runChecks } from '../../check/run.ts';
import { WitboxError } from '../../core/errors.ts';
import { createProgress } from '../check-progress.ts';
import { startSelf } from '../check-self.ts';
import { readHeaders, readTargets } from '../check-targets.ts';
import { defineCommand } from '../command.ts';

const FORMATS: Readonly<Record<string, (report: Report) => string>> = {
  markdown: markdownReport,
  json: jsonReport,
  junit: junitReport,
  sarif: sarifReport,
  html: htmlReport,
};

/** As shells know it. */
const INTERRUPTED = 130;

export const check = defineCommand({
  args: '[TARGET] [-- COMMAND ARGS …]',
  arity: [0, 1_000],
  help: `
Tests an MCP server as it is, on every transport it offers and at every revision it speaks, and says which clause
of the specification it breaks. TARGET is an address (http…, ws…; one that ends in /sse is HTTP+SSE), or a command
after --. Transports given together are compared as one server.

Tools are only called if they are marked read-only, or named with --allow-calls.

  witbox check --self
  witbox check -- npx some-mcp-server
  witbox check http://localhost:8080/mcp
  witbox check --stdio "node server.js" --http http://localhost:8080/mcp --format html > report.html
`,
  flags: {
    stdio: { type: 'string', value: 'COMMAND', summary: 'Check this command on standard input and output' },
    http: { type: 'string', value: 'URL', summary: 'Check Streamable HTTP at this address' },
    sse: { type: 'string', value: 'URL', summary: 'Check HTTP+SSE at this address' },
    websocket: { type: 'string', value: 'URL', summary: 'Check WebSocket at this address' },
    header: {
      type: 'string',
      multiple: true,
      value: 'NAME:VALUE',
      summary: 'Send this header with every request',
    },
    'other-header': {
      type: 'string',
      multiple: true,
      value: 'NAME:VALUE',
      summary: 'Headers of another caller, who must not get at what the first one has',
    },
    'wrong-audience-token': {
      type: 'string',
      value: 'TOKEN',
      summary: 'A good token for another resource, which must be refused; or in WITBOX_WRONG_AUDIENCE_TOKEN',
    },
    self: { type: 'boolean', summary: 'Check Witbox itself: start one on all transports' },
    format: { type: 'string', value: 'FORMAT', summary: 'markdown (default), json, junit, sarif or html' },
    json: { type: 'boolean', summary: 'The same as --format json' },
    revision: { type: 'string', multiple: true, value: 'DATE', summary: 'Check only at this revision' },
    only: { type: 'string', multiple: true, value: 'ID', summary: 'Make only this check' },
    skip: { type: 'string', multiple: true, value: 'ID', summary: 'Leave this check out' },
    'allow-calls': {
      type: 'string',
      multiple: true,
      value: 'TOOL',
      summary: 'This tool may be called; "*" for all',
    },
    'args-file': { type: 'string', value: 'FILE', summary: 'JSON object: arguments by tool name' },
    baseline: { type: 'string', value: 'FILE', summary: 'Accept the failures listed there' },
    'no-practice': { type: 'boolean', summary: 'Leave out good practice beyond the specification' },
    list: { type: 'boolean', summary: 'List all checks and end' },
    strict: { type: 'boolean', summary: 'Exit with 1 on warnings too' },
    timeout: { type: 'string', value: 'SECONDS', summary: 'How long to wait for an answer (5)' },
  },
  async run({ args, flags }, io) {
    if (flags.list) {
      io.out(checkTable());
      return 0;
    }
    const render = FORMATS[flags.json ? 'json' : (flags.format ?? 'markdown')];
    if (render === undefined) throw wrong('--format', flags.format!, Object.keys(FORMATS).join(', '));
    const baseline = flags.baseline === undefined ? null : await readBaseline(flags.baseline);
    const wrongAudienceToken = flags['wrong-audience-token'] ?? io.env.WITBOX_WRONG_AUDIENCE_TOKEN;
    const options: RunOptions = {
      milliseconds: readSeconds(flags.timeout) * 1_000,
      allowCalls: flags['allow-calls'] ?? (flags.self ? ['*'] : []),
      argumentsByTool: flags['args-file'] === undefined ? {} : await readArgumentsFile(flags['args-file']),
      only: readIds('--only', flags.only),
      skip: readIds('--skip', flags.skip),
      noPractice: flags['no-practice'] === true,
      ...(flags['other-header'] === undefined
        ? {}
        : { otherHeaders: readHeaders('--other-header', flags['other-header']) }),
      ...(wrongAudienceToken === undefined ? {} : { wrongAudienceToken }),
      ...(flags.revision === undefined ? {} : { revisions: flags.revision.map(readRevision) }),
    };
    const self = flags.self ? await startSelf(io.env) : null;
    const stop = io.stopSignal();
    const progress = createProgress(io, { isTerminal: process.stderr.isTTY, now: () => performance.now() });
    let report: Report;
    try {
      const addresses = self?.addresses ?? readTargets(args, flags, io.env);
      report = await runChecks(addresses, { ...options, signal: stop, onFinding: progress.step });
    } finally {
      progress.end();
      await self?.close();
    }
    if (stop.aborted) return INTERRUPTED;
    const made = { by: `witbox ${io.version}`, on: new Date().toISOString().slice(0, 10) };
    io.out(render({ ...report, made }));
    for (const { transport, reason } of report.unreached)
      io.err(`witbox: Cannot check ${transport}: ${reason}\n`);
    if (report.reached.length === 0) return 2;
    const { failures, stale } = compareToBaseline(report, baseline ?? { accepted: new Set() }, {
      strict: flags.strict === true,
    });
    for (const line of stale) io.err(`witbox: Stale line in the baseline: "${line}" no longer fails\n`);
    return failures > 0 ? 1 : 0;
  },
});

const wrong = (flag: string, value: string, expected: string): WitboxError =>
  new WitboxError('flag-invalid', { flag, value, expected });

function readSeconds(text = '5'): number {
  const seconds = Number(text);
  if (!(seconds > 0 && seconds <= 300)) throw wrong('--timeout', text, 'seconds up to 300');
  return seconds;
}

function readIds(flag: string, ids: readonly string[] = []): readonly string[] {
  const unknown = ids.find((id) => !CHECKS.some((one) => one.id === id));
  if (unknown !== undefined) throw wrong(flag, unknown, `one of ${CHECKS.map(({ id }) => id).join(', ')}`);
  return ids;
}

function readRevision(text: string): Revision {
  const found = REVISIONS.find((one) => one === text);
  if (found === undefined) throw wrong('--revision', text, `one of ${REVISIONS.join(', ')}`);
  return found;
}

async function readBaseline(file: string) {
  try {
    return parseBaseline(await readFile(file, 'utf8'));
  } catch (error) {
    throw wrong('--baseline', file, `a file with lines "ID transport revision": ${(error as Error).message}`);
  }
}

async function readArgumentsFile(file: string): Promise<JsonObject> {
  try {
    const value: unknown = JSON.parse(await readFile(file, 'utf8'));
    if (isObject(value)) return value;
  } catch (error) {
    throw wrong('--args-file', file, `a JSON object by tool name: ${(error as Error).message}`);
  }
  throw wrong('--args-file', file, 'a JSON object by tool name');
}
