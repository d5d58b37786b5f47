import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Finding, Verdict } from '../check/model.ts';
import { CHECKS } from '../check/registry.ts';
import { createProgress } from './check-progress.ts';

const finding = (transport: Finding['transport'], verdict: Verdict): Finding => ({
  check: CHECKS[0]!,
  transport,
  revision: '2025-11-25',
  verdict,
  milliseconds: 1,
});
const pass: Verdict = { status: 'pass' };
const fail: Verdict = { status: 'fail', evidence: { found: 'wrong' } };

test('a terminal sees a row per transport and revision, drawn over in place and gone at the end', () => {
  const written: string[] = [];
  const progress = createProgress(
    { err: (text) => void written.push(text) },
    { isTerminal: true, now: () => written.length * 1_000 },
  );
  progress.step(finding('stdio', pass), 1, 3);
  progress.step(finding('http', fail), 2, 3);
  progress.step(finding('http', pass), 3, 3);
  progress.end();
  assert.ok(written[2]!.startsWith(`\x1b[3A\r\x1b[J${'█'.repeat(30)} 3/3`));
  assert.match(written[2]!, /http {6}2025-11-25 {2}✔ {3}1 ✘ {3}1/);
  assert.match(written[2]!, /stdio {5}2025-11-25 {2}✔ {3}1 ✘ {3}0/);
  assert.equal(written[3], '\x1b[3A\r\x1b[J');
});

test('a quick run draws no more often than eyes can follow', () => {
  const written: string[] = [];
  const progress = createProgress(
    { err: (text) => void written.push(text) },
    { isTerminal: true, now: () => 0 },
  );
  for (let done = 1; done <= 100; done++) progress.step(finding('http', pass), done, 100);
  assert.equal(written.length, 2);
});

test('a program sees nothing', () => {
  const progress = createProgress(
    { err: () => assert.fail('wrote something') },
    { isTerminal: false, now: () => 0 },
  );
  progress.step(finding('http', pass), 1, 1);
  progress.end();
});
