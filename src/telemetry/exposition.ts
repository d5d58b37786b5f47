// Prometheus' text format, version 0.0.4: families with HELP and TYPE, one sample per line. Label values may be
// anything and are escaped; names of metrics and labels are ours and must fit the grammar.

export type Labels = Readonly<Record<string, string>>;

export interface Sample {
  readonly labels?: Labels;
  readonly value: number;
}

export const EXPOSITION_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

export function family(
  name: string,
  help: string,
  type: 'counter' | 'gauge' | 'histogram',
  lines: readonly string[],
): string {
  if (lines.length === 0) return '';
  return `# HELP ${name} ${escapeHelp(help)}\n# TYPE ${name} ${type}\n${lines.join('\n')}\n`;
}

export function sampleLine(name: string, labels: Labels, value: number): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escapeValue(text)}"`);
  return `${name}${pairs.length > 0 ? `{${pairs.join(',')}}` : ''} ${numberText(value)}`;
}

function numberText(value: number): string {
  if (Number.isFinite(value)) return `${value}`;
  if (Number.isNaN(value)) return 'NaN';
  return value > 0 ? '+Inf' : '-Inf';
}

function escapeHelp(text: string): string {
  return text.replace(/\\/g, '\\\\').replace(/\n/g, '\\n');
}

// A lone surrogate has no UTF-8; a parser would refuse the whole page for it.
function escapeValue(text: string): string {
  return text.toWellFormed().replace(/\\/g, '\\\\').replace(/"/g, '\\"').replace(/\n/g, '\\n');
}
