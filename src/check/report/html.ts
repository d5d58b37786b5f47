// One page that needs nothing else: no script, no request to anywhere. Everything from the server is escaped.

import { clauseUrl } from '../model.ts';
import type { Report } from '../run.ts';
import { inWords, type Outcome, outcomeOf, type Problem, problems, scores } from './summary.ts';
import { visible } from './visible.ts';

const STYLE = `
:root { color-scheme: light dark; --line: #8884; --bad: #c62828; --warn: #b26a00; --good: #2e7d32 }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 72rem; margin: 2rem auto; padding: 0 1rem }
table { border-collapse: collapse; margin: 1rem 0; display: block; overflow-x: auto }
th, td { border: 1px solid var(--line); padding: .3rem .6rem; text-align: left; vertical-align: top }
pre { background: #8881; padding: .7rem; overflow-x: auto; white-space: pre-wrap; word-break: break-all }
section { border-left: .3rem solid var(--line); padding-left: 1rem; margin: 2rem 0 }
.failure { border-color: var(--bad) } .warning { border-color: var(--warn) }
td.failure { color: var(--bad); font-weight: bold } td.warning { color: var(--warn) } td.passed { color: var(--good) }
`;
const MARK: Readonly<Record<Outcome, string>> = {
  passed: '✔',
  failure: '✘',
  warning: '▲',
  advice: '·',
  'not checked': '–',
};

export function htmlReport(report: Report): string {
  const name = report.server === null ? 'MCP server' : `${report.server.name} ${report.server.version}`;
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>MCP compliance of ${safe(name)}</title>
<style>${STYLE}</style>
<h1>MCP compliance of ${safe(name)}</h1>
<p>${inWords(report)}${madeBy(report)}</p>
${scoreTable(report)}
${problems(report).map(section).join('\n')}
<h2>Every check</h2>
${matrix(report)}
</html>
`;
}

const madeBy = ({ made }: Report): string =>
  made === undefined ? '' : ` Made by ${safe(made.by)} on ${safe(made.on)}.`;

function scoreTable(report: Report): string {
  const rows = scores(report).map(
    ({ transport, revision, counts }) =>
      `<tr><td>${transport}<td>${revision}<td>${counts.passed}<td>${counts.failure}<td>${counts.warning}<td>${counts.advice}<td>${counts['not checked']}`,
  );
  return `<table><tr><th>transport<th>revision<th>passed<th>failures<th>warnings<th>advice<th>not checked${rows.join('')}</table>`;
}

function section({ check, outcome, first, places }: Problem): string {
  const evidence = first.verdict.status === 'fail' ? first.verdict.evidence : { found: '' };
  const where = places.map(({ transport, revision }) => `${transport} ${revision}`).join(', ');
  const block = (title: string, text: string | undefined) =>
    text === undefined ? '' : `<h4>${title}</h4><pre>${safe(text)}</pre>`;
  return `<section class="${outcome}"><h3>${check.id} ${safe(check.title)}</h3>
<p><strong>${outcome}</strong>, ${check.severity} · ${where} · <a href="${safe(clauseUrl(check, first.revision))}">clause</a></p>
<p>${safe(evidence.found)}</p>${block('Sent', evidence.sent)}${block('Received', evidence.received)}
<p>To change: ${safe(check.remedy)}.</p></section>`;
}

function matrix(report: Report): string {
  const columns = scores(report);
  const checks = [...new Set(report.findings.map(({ check }) => check))];
  const head = columns.map(({ transport, revision }) => `<th>${transport}<br>${revision}`).join('');
  const rows = checks.map((check) => {
    const cells = columns.map(({ transport, revision }) => {
      const found = report.findings.find(
        (one) => one.check === check && one.transport === transport && one.revision === revision,
      );
      if (found === undefined) return '<td>';
      const why = found.verdict.status === 'skip' ? ` title="${safe(found.verdict.reason)}"` : '';
      return `<td class="${outcomeOf(found).replace(' ', '-')}"${why}>${MARK[outcomeOf(found)]}`;
    });
    return `<tr><td>${check.id}<td>${safe(check.title)}${cells.join('')}`;
  });
  return `<table><tr><th>id<th>check${head}${rows.join('')}</table>`;
}

function safe(text: string): string {
  const entities: Readonly<Record<string, string>> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
  };
  return visible(text).replace(/[&<>"']/g, (char) => entities[char]!);
}
