// Counts and groups findings for every report format, so that all of them tell the same story.

import { type Check, type Finding, type Level, levelOf, type Revision, type Transport } from '../model.ts';
import type { Report } from '../run.ts';

export type Outcome = 'passed' | 'failure' | 'warning' | 'advice' | 'not checked';

const FAILED: Readonly<Record<Level, Outcome>> = { must: 'failure', should: 'warning', practice: 'advice' };

export function outcomeOf({ check, revision, verdict }: Finding): Outcome {
  if (verdict.status === 'pass') return 'passed';
  return verdict.status === 'skip' ? 'not checked' : FAILED[levelOf(check, revision)];
}

export interface Score {
  readonly transport: Transport;
  readonly revision: Revision;
  readonly counts: Readonly<Record<Outcome, number>>;
}

export function scores(report: Report): Score[] {
  return report.reached.flatMap(({ transport, revisions }) =>
    revisions.map((revision) => {
      const here = report.findings.filter((one) => one.transport === transport && one.revision === revision);
      return { transport, revision, counts: count(here) };
    }),
  );
}

export function count(findings: readonly Finding[]): Record<Outcome, number> {
  const counts: Record<Outcome, number> = { passed: 0, failure: 0, warning: 0, advice: 0, 'not checked': 0 };
  for (const finding of findings) counts[outcomeOf(finding)]++;
  return counts;
}

/** One problem, wherever it shows: the same check failing in the same words. */
export interface Problem {
  readonly check: Check;
  readonly outcome: Outcome;
  readonly first: Finding;
  readonly places: readonly { readonly transport: Transport; readonly revision: Revision }[];
}

const ORDER: readonly Outcome[] = ['failure', 'warning', 'advice'];
const WEIGHT = ['critical', 'high', 'medium', 'low'];

export function problems(report: Report): Problem[] {
  const groups = new Map<string, Finding[]>();
  for (const finding of report.findings) {
    if (finding.verdict.status !== 'fail') continue;
    const key = `${finding.check.id} ${finding.verdict.evidence.found}`;
    groups.set(key, [...(groups.get(key) ?? []), finding]);
  }
  return [...groups.values()]
    .map((group) => ({
      check: group[0]!.check,
      outcome: outcomeOf(group[0]!),
      first: group[0]!,
      places: group.map(({ transport, revision }) => ({ transport, revision })),
    }))
    .sort((a, b) => rank(a) - rank(b) || a.check.id.localeCompare(b.check.id));
}

const rank = ({ outcome, check }: Problem): number =>
  ORDER.indexOf(outcome) * WEIGHT.length + WEIGHT.indexOf(check.severity);

/** Checks whose verdicts differ between transports at the same revision: one server, two behaviours. */
export function differences(report: Report): {
  readonly check: Check;
  readonly revision: Revision;
  readonly passes: Transport[];
  readonly fails: Transport[];
}[] {
  const found = [];
  const keys = new Map<string, Finding[]>();
  for (const finding of report.findings) {
    const key = `${finding.check.id} ${finding.revision}`;
    keys.set(key, [...(keys.get(key) ?? []), finding]);
  }
  for (const group of keys.values()) {
    const passes = group.filter((one) => one.verdict.status === 'pass').map((one) => one.transport);
    const fails = group.filter((one) => one.verdict.status === 'fail').map((one) => one.transport);
    if (passes.length > 0 && fails.length > 0)
      found.push({ check: group[0]!.check, revision: group[0]!.revision, passes, fails });
  }
  return found;
}

const many = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`;

/** The whole report in one sentence. */
export function inWords(report: Report): string {
  const { failure, warning, advice, passed, 'not checked': unchecked } = count(report.findings);
  const found = [
    many(failure, 'failure'),
    many(warning, 'warning'),
    many(advice, 'piece').concat(' of advice'),
  ];
  return `${found.join(', ')}; ${many(passed, 'check')} passed, ${unchecked} could not be made.`;
}

export function badge(report: Report): string {
  const { failure, warning } = count(report.findings);
  const revisions = [...new Set(report.reached.flatMap((one) => one.revisions))];
  const words =
    failure > 0
      ? many(failure, 'failure')
      : warning > 0
        ? many(warning, 'warning')
        : `compliant ${revisions.at(-1) ?? ''}`.trim();
  const colour = failure > 0 ? 'red' : warning > 0 ? 'yellow' : 'brightgreen';
  const text = encodeURIComponent(words.replaceAll('-', '--'));
  return `![MCP: ${words}](https://img.shields.io/badge/MCP-${text}-${colour})`;
}
