// `witbox audit query`: who did what, when, and how it ended.

import { once } from 'node:events';
import { query } from '../../audit/query.ts';
import { WitboxError } from '../../core/errors.ts';
import { compileNameGlob, type NameGlob } from '../../gate/access/name-glob.ts';
import { AUDIT_FLAGS, auditText, findAuditLog } from '../audit-log.ts';
import { defineCommand } from '../command.ts';

export const auditQuery = defineCommand({
  args: '',
  arity: [0, 0],
  help: `
Prints the lines of the audit log that fit all that is asked for, oldest first. Names may have "*" and "?". Times
are a span back from now (90s, 15m, 12h, 7d) or an instant (2026-07-28T09:00:00Z).

  witbox audit query --caller 'key:ci-*' --since 1h
  witbox audit query --tool delete_report --outcome denied --json
  witbox audit query --component weather --since 7d --until 1d --limit 100
`,
  flags: {
    caller: { type: 'string', value: 'GLOB', summary: 'Who called' },
    tool: { type: 'string', value: 'GLOB', summary: 'The tool, prompt or resource' },
    component: { type: 'string', value: 'GLOB', summary: 'The component it belongs to' },
    outcome: {
      type: 'string',
      value: 'GLOB',
      summary: 'How it ended: ok, tool-error, denied, limited, failed …',
    },
    since: { type: 'string', value: 'TIME', summary: 'Not before' },
    until: { type: 'string', value: 'TIME', summary: 'Not after' },
    limit: { type: 'string', value: 'COUNT', summary: 'Stop after so many' },
    ...AUDIT_FLAGS,
    json: { type: 'boolean', summary: 'Print the lines as they are, JSON' },
  },
  async run({ flags }, io) {
    const filter = {
      caller: glob('--caller', flags.caller),
      target: glob('--tool', flags.tool),
      component: glob('--component', flags.component),
      outcome: glob('--outcome', flags.outcome),
      since: instant('--since', flags.since),
      until: instant('--until', flags.until),
    };
    let left = readLimit(flags.limit);
    for await (const line of query(await findAuditLog(flags, io), filter)) {
      if (left-- <= 0) break;
      // A log may be far larger than memory: no faster than it is read.
      if (!io.stdout.write(flags.json ? `${line.text}\n` : auditText(line))) await once(io.stdout, 'drain');
    }
  },
});

function glob(flag: string, pattern: string | undefined): NameGlob | undefined {
  if (pattern === undefined) return undefined;
  try {
    return compileNameGlob(pattern);
  } catch {
    throw invalid(flag, pattern, 'a name, with "*" and "?" for what may stand there');
  }
}

const UNITS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

function instant(flag: string, text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  const span = /^(\d{1,9})([smhd])$/.exec(text);
  const time = span ? Date.now() - Number(span[1]) * UNITS[span[2]!]! : Date.parse(text);
  if (Number.isNaN(time)) throw invalid(flag, text, 'a span such as 15m or 7d, or an instant in ISO 8601');
  return new Date(time);
}

function readLimit(text: string | undefined): number {
  if (text === undefined) return Number.POSITIVE_INFINITY;
  if (!/^\d{1,9}$/.test(text)) throw invalid('--limit', text, 'a number');
  return Number(text);
}

function invalid(flag: string, value: string, expected: string): WitboxError {
  return new WitboxError('flag-invalid', { flag, value, expected });
}
