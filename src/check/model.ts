// The words of a compliance check: what a check is, what it can say, and where it applies. Pure data; every file of
// this folder speaks in these terms. A check that cannot be made is `skip` with its reason and never counts as passed.

import type { Bench } from './bench.ts';

export const REVISIONS = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'] as const;
export type Revision = (typeof REVISIONS)[number];

export const TRANSPORTS = ['stdio', 'http', 'sse', 'websocket'] as const;
export type Transport = (typeof TRANSPORTS)[number];

/** MUST makes a failure, SHOULD a warning, good practice beyond the text an advice. */
export type Level = 'must' | 'should' | 'practice';
export type Severity = 'critical' | 'high' | 'medium' | 'low';

/** A page of the specification, and the heading on it, as they stand in one revision. */
export interface Clause {
  readonly page: string;
  readonly heading?: string;
}

export interface Check {
  readonly id: string;
  readonly title: string;
  /** One level for all revisions, or one per revision where the words have changed. */
  readonly level: Level | ((revision: Revision) => Level);
  readonly severity: Severity;
  /** One clause for all revisions, or one per revision where the text has moved. */
  readonly clause: Clause | ((revision: Revision) => Clause);
  readonly revisions: readonly Revision[];
  readonly transports: readonly Transport[];
  /**
   * `cell`: at every revision. `once`: what does not depend on the revision is looked at once per transport, at the
   * newest one. `alone`: once, and while nothing else runs, since it disturbs or is disturbed.
   */
  readonly scope?: 'cell' | 'once' | 'alone';
  /** What the author of a failing server should do. */
  readonly remedy: string;
  run(bench: Bench): Promise<Verdict>;
}

export type Verdict =
  | { readonly status: 'pass' }
  | { readonly status: 'fail'; readonly evidence: Evidence }
  | { readonly status: 'skip'; readonly reason: string };

/** What a person needs to believe a finding. */
export interface Evidence {
  readonly found: string;
  readonly sent?: string;
  readonly received?: string;
}

/** One verdict with the cell of the matrix in which it was reached. */
export interface Finding {
  readonly check: Check;
  readonly transport: Transport;
  readonly revision: Revision;
  readonly verdict: Verdict;
  readonly milliseconds: number;
}

export const pass: Verdict = { status: 'pass' };
export const skip = (reason: string): Verdict => ({ status: 'skip', reason });

export function fail(found: string, exchange?: { readonly sent?: string; readonly raw?: string }): Verdict {
  return {
    status: 'fail',
    evidence: {
      found,
      ...(exchange?.sent === undefined ? {} : { sent: clip(exchange.sent) }),
      ...(exchange?.raw === undefined ? {} : { received: clip(exchange.raw) }),
    },
  };
}

const CLIP = 2_000;

/** Evidence is for reading: a server may have sent a gigabyte. */
function clip(text: string): string {
  return text.length <= CLIP ? text : `${text.slice(0, CLIP)}… (${text.length} characters)`;
}

export function clauseUrl(check: Check, revision: Revision): string {
  const clause = typeof check.clause === 'function' ? check.clause(revision) : check.clause;
  const heading = clause.heading === undefined ? '' : `#${clause.heading}`;
  return `https://modelcontextprotocol.io/specification/${revision}/${clause.page}${heading}`;
}

export const levelOf = ({ level }: Check, revision: Revision): Level =>
  typeof level === 'function' ? level(revision) : level;

export const since = (first: Revision): readonly Revision[] => REVISIONS.slice(REVISIONS.indexOf(first));
export const until = (last: Revision): readonly Revision[] => REVISIONS.slice(0, REVISIONS.indexOf(last) + 1);
export const isModern = (revision: Revision): boolean => revision === '2026-07-28';
