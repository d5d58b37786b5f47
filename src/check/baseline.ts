// Known failures that a project has accepted for now: one line `ID transport revision` each. What is listed does not
// fail the run; what is listed and no longer fails is reported as stale, so that the list only ever shrinks.

import { REVISIONS, TRANSPORTS } from './model.ts';
import { outcomeOf } from './report/summary.ts';
import type { Report } from './run.ts';

export interface Baseline {
  readonly accepted: ReadonlySet<string>;
}

/** Throws an Error with a plain message that names the line. */
export function parseBaseline(text: string): Baseline {
  const accepted = new Set<string>();
  for (const [index, line] of text.split('\n').entries()) {
    const words = line.replace(/#.*/, '').trim();
    if (words === '') continue;
    const [id, transport, revision, more] = words.split(/\s+/);
    const known = TRANSPORTS.some((one) => one === transport) && REVISIONS.some((one) => one === revision);
    if (id === undefined || !known || more !== undefined) {
      throw new Error(`line ${index + 1} is "${words}", expected: ID transport revision`);
    }
    accepted.add(`${id} ${transport} ${revision}`);
  }
  return { accepted };
}

/** With `strict`, warnings count as failures. */
export function compareToBaseline(
  report: Report,
  { accepted }: Baseline,
  { strict }: { readonly strict: boolean },
): { readonly failures: number; readonly stale: readonly string[] } {
  const seen = new Set<string>();
  let failures = 0;
  for (const finding of report.findings) {
    const outcome = outcomeOf(finding);
    if (outcome !== 'failure' && !(strict && outcome === 'warning')) continue;
    const key = `${finding.check.id} ${finding.transport} ${finding.revision}`;
    if (accepted.has(key)) seen.add(key);
    else failures++;
  }
  return { failures, stale: [...accepted].filter((key) => !seen.has(key)) };
}
