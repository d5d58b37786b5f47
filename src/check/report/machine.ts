// The report for machines: JSON with everything, JUnit for build servers, SARIF for code hosts.

import { clauseUrl, type Finding, levelOf } from '../model.ts';
import { CHECKS } from '../registry.ts';
import type { Report } from '../run.ts';
import { count, outcomeOf, scores } from './summary.ts';
import { visible } from './visible.ts';

export function jsonReport(report: Report): string {
  const findings = report.findings.map((finding) => ({
    id: finding.check.id,
    title: finding.check.title,
    severity: finding.check.severity,
    level: levelOf(finding.check, finding.revision),
    transport: finding.transport,
    revision: finding.revision,
    outcome: outcomeOf(finding),
    clause: clauseUrl(finding.check, finding.revision),
    milliseconds: Math.round(finding.milliseconds),
    ...(finding.verdict.status === 'fail'
      ? { evidence: finding.verdict.evidence, remedy: finding.check.remedy }
      : {}),
    ...(finding.verdict.status === 'skip' ? { reason: finding.verdict.reason } : {}),
  }));
  const { server, made, reached, unreached } = report;
  return `${JSON.stringify({ server, made, reached, unreached, counts: count(report.findings), scores: scores(report), findings }, null, 2)}\n`;
}

export function junitReport(report: Report): string {
  const suites = scores(report).map(({ transport, revision, counts }) => {
    const here = report.findings.filter((one) => one.transport === transport && one.revision === revision);
    const failures = counts.failure;
    return `  <testsuite name="${transport} ${revision}" tests="${here.length}" failures="${failures}" skipped="${here.length - counts.passed - failures}">\n${here.map(testCase).join('\n')}\n  </testsuite>`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="MCP compliance">\n${suites.join('\n')}\n</testsuites>\n`;
}

function testCase(finding: Finding): string {
  const { check, transport, revision, verdict, milliseconds } = finding;
  const open = `    <testcase classname="${transport}.${revision}" name="${xml(`${check.id} ${check.title}`)}" time="${(milliseconds / 1_000).toFixed(3)}"`;
  if (verdict.status === 'pass') return `${open}/>`;
  if (verdict.status === 'skip') return `${open}><skipped message="${xml(verdict.reason)}"/></testcase>`;
  const { found, sent = '', received = '' } = verdict.evidence;
  const body = xml(`${clauseUrl(check, revision)}\nsent: ${sent}\nreceived: ${received}\n${check.remedy}`);
  const kind = outcomeOf(finding);
  if (kind !== 'failure') return `${open}><skipped message="${xml(`${kind}: ${found}`)}"/></testcase>`;
  return `${open}><failure message="${xml(found)}">${body}</failure></testcase>`;
}

const XML_ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

function xml(text: string): string {
  return visible(text).replace(/[&<>"']/g, (char) => XML_ENTITIES[char]!);
}

const SARIF_LEVEL = { failure: 'error', warning: 'warning', advice: 'note' } as const;

export function sarifReport(report: Report): string {
  const results = report.findings.flatMap((finding) => {
    const outcome = outcomeOf(finding);
    if (finding.verdict.status !== 'fail' || !(outcome in SARIF_LEVEL)) return [];
    return [
      {
        ruleId: finding.check.id,
        level: SARIF_LEVEL[outcome as keyof typeof SARIF_LEVEL],
        message: {
          text: `${finding.verdict.evidence.found} (${finding.transport}, ${finding.revision}). ${finding.check.remedy}.`,
        },
        locations: [
          { logicalLocations: [{ fullyQualifiedName: `${finding.transport}/${finding.revision}` }] },
        ],
      },
    ];
  });
  const rules = CHECKS.map((check) => ({
    id: check.id,
    shortDescription: { text: check.title },
    help: { text: check.remedy },
    helpUri: clauseUrl(check, check.revisions.at(-1)!),
  }));
  const run = {
    tool: { driver: { name: 'witbox check', informationUri: 'https://modelcontextprotocol.io', rules } },
    results,
  };
  return `${JSON.stringify({ $schema: 'https://json.schemastore.org/sarif-2.1.0.json', version: '2.1.0', runs: [run] }, null, 2)}\n`;
}
