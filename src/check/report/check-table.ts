// All checks as a Markdown table: what `witbox check --list` prints and docs/check.md shows.

import { type Check, clauseUrl, levelOf, REVISIONS, type Revision, TRANSPORTS } from '../model.ts';
import { CHECKS } from '../registry.ts';

const WORDS = { must: 'MUST', should: 'SHOULD', practice: 'practice' } as const;

export function checkTable(): string {
  const rows = CHECKS.map(
    (check) =>
      `| [${check.id}](${clauseUrl(check, check.revisions.at(-1)!)}) | ${check.title} | ${levels(check)} | ${check.severity} | ${span(check.revisions)} | ${places(check)} |`,
  );
  return [
    '| id | check | level | severity | revisions | transports |',
    '|---|---|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}

function levels(check: Check): string {
  const words = check.revisions.map((revision) => WORDS[levelOf(check, revision)]);
  return [...new Set(words)].join(', later ');
}

function span(revisions: readonly Revision[]): string {
  if (revisions.length === REVISIONS.length) return 'all';
  if (revisions.length === 1) return revisions[0]!;
  if (revisions.at(-1) === REVISIONS.at(-1)) return `from ${revisions[0]}`;
  return revisions[0] === REVISIONS[0] ? `to ${revisions.at(-1)}` : `${revisions[0]} to ${revisions.at(-1)}`;
}

const places = ({ transports }: Check): string =>
  transports.length === TRANSPORTS.length ? 'all' : transports.join(', ');
