import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareToBaseline, parseBaseline } from './baseline.ts';
import { CHECKS } from './registry.ts';
import type { Report } from './run.ts';

const report: Report = {
  server: null,
  reached: [{ transport: 'http', revisions: ['2025-11-25'] }],
  unreached: [],
  findings: ['J01', 'J04', 'J05'].map((id) => ({
    check: CHECKS.find((check) => check.id === id)!,
    transport: 'http',
    revision: '2025-11-25',
    verdict: { status: 'fail', evidence: { found: 'wrong' } },
    milliseconds: 1,
  })),
};

test('a failure that is in the baseline does not count, others do', () => {
  const baseline = parseBaseline('# known\n\nJ01 http 2025-11-25  # for now\n');
  assert.deepEqual(compareToBaseline(report, baseline, { strict: false }), { failures: 1, stale: [] });
});

test('warnings count only when asked for', () => {
  const none = { accepted: new Set<string>() };
  assert.equal(compareToBaseline(report, none, { strict: false }).failures, 2);
  assert.equal(compareToBaseline(report, none, { strict: true }).failures, 3);
});

test('a line that no longer fails is stale', () => {
  const baseline = parseBaseline('J01 http 2025-11-25\nJ01 stdio 2025-11-25\nF02 http 2025-11-25');
  assert.deepEqual(compareToBaseline(report, baseline, { strict: false }).stale, [
    'J01 stdio 2025-11-25',
    'F02 http 2025-11-25',
  ]);
});

test('a line that is none is refused with its number', () => {
  assert.throws(() => parseBaseline('J01 http 2025-11-25\nJ02 carrier-pigeon 2025-11-25'), /line 2/);
  assert.throws(() => parseBaseline('J01 http 2025-11-25 more'), /line 1/);
});
