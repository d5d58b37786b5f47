// The report a person can send on: scores, features, then each problem with what was sent, what came back, the clause
// and what to change. Text from the server under test is fenced and can neither end its fence nor become markup.

import { clauseUrl, type Finding, type Revision, type Transport } from '../model.ts';
import type { Report } from '../run.ts';
import {
  badge,
  differences,
  inWords,
  type Outcome,
  outcomeOf,
  type Problem,
  problems,
  scores,
} from './summary.ts';
import { visible } from './visible.ts';

const MARK: Readonly<Record<Outcome, string>> = {
  passed: '✔',
  failure: '✘',
  warning: '▲',
  advice: '·',
  'not checked': '–',
};

export function markdownReport(report: Report): string {
  const name =
    report.server === null ? 'the server' : `${plain(report.server.name)} ${plain(report.server.version)}`;
  return [
    `# MCP compliance of ${name}`,
    `${inWords(report)}${madeBy(report)}`,
    scoreTable(report),
    unreachedList(report),
    differenceList(report),
    ...problems(report).map(problemSection),
    featureTable(report),
    skipList(report),
    `Badge: \`${badge(report)}\``,
  ]
    .filter((part) => part !== '')
    .join('\n\n')
    .concat('\n');
}

const madeBy = ({ made }: Report): string =>
  made === undefined ? '' : ` Made by ${plain(made.by)} on ${made.on}.`;

function scoreTable(report: Report): string {
  const rows = scores(report).map(
    ({ transport, revision, counts }) =>
      `| ${transport} | ${revision} | ${counts.passed} | ${counts.failure} | ${counts.warning} | ${counts.advice} | ${counts['not checked']} |`,
  );
  return [
    '## Scores',
    '',
    '| transport | revision | passed | failures | warnings | advice | not checked |',
    '|---|---|---:|---:|---:|---:|---:|',
    ...rows,
  ].join('\n');
}

function unreachedList({ unreached }: Report): string {
  return unreached
    .map(({ transport, reason }) => `- **${transport}** could not be reached: ${plain(reason)}`)
    .join('\n');
}

function differenceList(report: Report): string {
  const rows = differences(report).map(
    ({ check, revision, passes, fails }) =>
      `- ${check.id} at ${revision}: right on ${passes.join(', ')}, wrong on ${fails.join(', ')}`,
  );
  return rows.length === 0 ? '' : ['## Differences between transports', '', ...rows].join('\n');
}

function problemSection({ check, outcome, first, places }: Problem): string {
  const evidence = first.verdict.status === 'fail' ? first.verdict.evidence : null;
  return [
    `## ${check.id} ${check.title}`,
    `**${outcome}**, ${check.severity} · ${placeList(places)} · [clause](${clauseUrl(check, first.revision)})`,
    plain(evidence?.found ?? ''),
    evidence?.sent === undefined ? '' : `Sent:\n\n${fence(evidence.sent)}`,
    evidence?.received === undefined ? '' : `Received:\n\n${fence(evidence.received)}`,
    `To change: ${check.remedy}.`,
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

function placeList(places: readonly { transport: Transport; revision: Revision }[]): string {
  const byTransport = Map.groupBy(places, ({ transport }) => transport);
  return [...byTransport]
    .map(([transport, list]) => `${transport} ${list.map(({ revision }) => revision).join(', ')}`)
    .join('; ');
}

function featureTable(report: Report): string {
  const columns = scores(report).map(({ transport, revision }) => ({ transport, revision }));
  const checks = [...new Set(report.findings.map(({ check }) => check))];
  const cell = (found: Finding | undefined) => (found === undefined ? '' : MARK[outcomeOf(found)]);
  const rows = checks.map((check) => {
    const cells = columns.map(({ transport, revision }) =>
      cell(
        report.findings.find(
          (one) => one.check === check && one.transport === transport && one.revision === revision,
        ),
      ),
    );
    return `| ${check.id} | ${check.title} | ${cells.join(' | ')} |`;
  });
  const heads = columns.map(({ transport, revision }) => `${transport} ${revision}`);
  return [
    '## Every check',
    '',
    `${MARK.passed} passed, ${MARK.failure} failure, ${MARK.warning} warning, ${MARK.advice} advice, ${MARK['not checked']} not checked`,
    '',
    `| id | check | ${heads.join(' | ')} |`,
    `|---|---|${heads.map(() => ':-:').join('|')}|`,
    ...rows,
  ].join('\n');
}

function skipList(report: Report): string {
  const reasons = new Set<string>();
  for (const { check, verdict } of report.findings) {
    if (verdict.status === 'skip') reasons.add(`- ${check.id}: ${plain(verdict.reason)}`);
  }
  return reasons.size === 0 ? '' : ['## Not checked, and why', '', ...reasons].join('\n');
}

/** Longer than any run of backticks inside. */
function fence(raw: string): string {
  const text = visible(raw);
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const marks = '`'.repeat(longest + 1);
  return `${marks}\n${text}\n${marks}`;
}

const plain = (text: string): string =>
  visible(text)
    .replace(/\n+/g, ' ')
    .replace(/[\\`*_[\]<>|]/g, (char) => `\\${char}`);
