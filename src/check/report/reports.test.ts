import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Finding, Verdict } from '../model.ts';
import { CHECKS } from '../registry.ts';
import type { Report } from '../run.ts';
import { htmlReport } from './html.ts';
import { jsonReport, junitReport, sarifReport } from './machine.ts';
import { markdownReport } from './markdown.ts';
import { badge, differences } from './summary.ts';

/** Everything a server could send to end a fence, a table, a tag, an attribute or a section. */
const HOSTILE =
  '```\n````\n# Heading\n| a | b |\n[x](javascript:alert(1)) <script>alert(1)</script> <img src=x onerror=alert(1)> "\' & ]]> --> \u0000\u0008\u001b[31m \ud800 \ufffe';

const found = (id: string, verdict: Verdict, transport: Finding['transport'] = 'http'): Finding => ({
  check: CHECKS.find((check) => check.id === id)!,
  transport,
  revision: '2025-11-25',
  verdict,
  milliseconds: 12.5,
});
const bad: Verdict = { status: 'fail', evidence: { found: HOSTILE, sent: HOSTILE, received: HOSTILE } };

const REPORT: Report = {
  server: { name: HOSTILE, version: HOSTILE },
  reached: [
    { transport: 'http', revisions: ['2025-11-25'] },
    { transport: 'websocket', revisions: ['2025-11-25'] },
  ],
  unreached: [{ transport: 'stdio', reason: HOSTILE }],
  findings: [
    found('J01', bad),
    found('J01', { status: 'pass' }, 'websocket'),
    found('J05', bad),
    found('J08', bad),
    found('J02', { status: 'skip', reason: HOSTILE }),
    found('J03', { status: 'pass' }),
  ],
  made: { by: 'witbox 1.0.0', on: '2026-01-01' },
};

describe('the Markdown report', () => {
  const text = markdownReport(REPORT);
  const outside = withoutFences(text);

  test('keeps what a server sent inside its fences', () => {
    assert.ok(text.includes('<script>'), 'the evidence is there');
    assert.ok(!outside.includes('\n# Heading'));
    assert.equal(outside.split('\n').filter((line) => line.startsWith('# ')).length, 1);
  });
  test('escapes it everywhere else', () => {
    assert.doesNotMatch(outside, /(?<!\\)<(?:script|img)/);
    assert.doesNotMatch(outside, /(?<!\\)\]\(javascript:/);
  });
  test('has rows of equal length in every table', () => {
    const rows = outside.split('\n').filter((line) => line.startsWith('| '));
    const cells = rows.map((line) => line.split(/(?<!\\)\|/).length);
    assert.deepEqual(new Set(cells).size, 2, 'one table of scores, one of checks');
  });
  test('names the level, the clause and what to change', () => {
    assert.match(text, /\*\*failure\*\*, critical/);
    assert.match(text, /\*\*warning\*\*, medium/);
    assert.match(text, /modelcontextprotocol\.io\/specification\/2025-11-25\/basic#responses/);
    assert.match(text, /To change: Copy the id/);
  });
});

function withoutFences(text: string): string {
  const kept: string[] = [];
  let fence: string | null = null;
  for (const line of text.split('\n')) {
    const marks = /^`{3,}$/.exec(line)?.[0];
    if (fence === null && marks !== undefined) fence = marks;
    else if (fence !== null && line === fence) fence = null;
    else if (fence === null) kept.push(line);
  }
  assert.equal(fence, null, 'every fence ends');
  return kept.join('\n');
}

test('the JUnit report is well-formed XML with the right counts', () => {
  const xml = junitReport(REPORT);
  const open: string[] = [];
  const rest = xml
    .replace(/<\?xml[^>]*\?>/, '')
    .replace(/<(\/?)([a-z]+)((?:\s+[a-z]+="[^"<]*")*)\s*(\/?)>/g, (_all, close, name, _attributes, empty) => {
      if (close === '/') assert.equal(open.pop(), name);
      else if (empty !== '/') open.push(name);
      return '';
    });
  assert.deepEqual(open, []);
  assert.doesNotMatch(rest, /[<>]|&(?!amp;|lt;|gt;|quot;|apos;)/);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what XML cannot hold
  assert.doesNotMatch(xml, /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/);
  assert.ok(xml.isWellFormed());
  assert.match(xml, /<testsuite name="http 2025-11-25" tests="5" failures="1" skipped="3">/);
});

test('the SARIF report has one rule per check and results that name them', () => {
  const sarif = JSON.parse(sarifReport(REPORT));
  assert.equal(sarif.version, '2.1.0');
  const [{ tool, results }] = sarif.runs;
  const rules = new Set(tool.driver.rules.map(({ id }: { id: string }) => id));
  assert.equal(rules.size, CHECKS.length);
  assert.deepEqual(
    results.map(({ ruleId, level }: { ruleId: string; level: string }) => [ruleId, level]),
    [
      ['J01', 'error'],
      ['J05', 'warning'],
      ['J08', 'note'],
    ],
  );
  for (const { ruleId, message, locations } of results) {
    assert.ok(rules.has(ruleId));
    assert.equal(typeof message.text, 'string');
    assert.equal(typeof locations[0].logicalLocations[0].fullyQualifiedName, 'string');
  }
});

test('the HTML report is one page without script, requests or markup of the server', () => {
  const html = htmlReport(REPORT);
  assert.match(html, /Content-Security-Policy" content="default-src 'none'/);
  const tags = html.match(/<[a-z!/][^>]*>/gi) ?? [];
  for (const quoted of tags) {
    const tag = quoted.replace(/"[^"]*"/g, '""');
    assert.doesNotMatch(tag, /^<(?:script|img|link|iframe|object|base)/i);
    assert.doesNotMatch(tag, /\son\w+\s*=/i);
    assert.doesNotMatch(quoted, /(?:href|src)="(?!https:|#)/i);
  }
  assert.ok(html.includes('&lt;script&gt;'));
});

test('nothing that a terminal acts on is in what people read', () => {
  for (const text of [markdownReport(REPORT), htmlReport(REPORT), junitReport(REPORT)]) {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what terminals act on
    assert.doesNotMatch(text, /[\u0000-\u0008\u000b-\u001f\u007f]/);
    assert.match(text, /\\u001b\\?\[31m/);
  }
});

test('the JSON report has every finding with its outcome', () => {
  const { counts, findings, made } = JSON.parse(jsonReport(REPORT));
  assert.deepEqual(counts, { passed: 2, failure: 1, warning: 1, advice: 1, 'not checked': 1 });
  assert.equal(findings.length, REPORT.findings.length);
  assert.equal(findings[0].evidence.found, HOSTILE);
  assert.deepEqual(made, REPORT.made);
});

test('a check that passes on one transport and fails on another is a difference', () => {
  assert.deepEqual(
    differences(REPORT).map(({ check, passes, fails }) => [check.id, passes, fails]),
    [['J01', ['websocket'], ['http']]],
  );
});

test('the badge counts failures first, then warnings, then names the newest revision', () => {
  assert.match(badge(REPORT), /MCP: 1 failure\].*-red\)$/);
  const warned = REPORT.findings.filter(({ check }) => check.id === 'J05');
  assert.match(badge({ ...REPORT, findings: warned }), /MCP: 1 warning\].*-yellow\)$/);
  assert.match(badge({ ...REPORT, findings: [] }), /compliant%202025--11--25-brightgreen/);
});
