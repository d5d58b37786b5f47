// What a person sees while checks run: a bar, and a table with a row per transport and revision that fills up, written
// over in place. Programs see nothing.

import type { Finding } from '../check/model.ts';
import { type Outcome, outcomeOf } from '../check/report/summary.ts';
import type { Io } from './command.ts';

const WIDTH = 30;
const EVERY = 60;

type Row = Record<Outcome, number>;

export interface Progress {
  step(finding: Finding, done: number, total: number): void;
  /** Takes away what was shown. */
  end(): void;
}

export function createProgress(
  io: Pick<Io, 'err'>,
  options: { readonly isTerminal: boolean; readonly now: () => number },
): Progress {
  if (!options.isTerminal) return { step() {}, end() {} };
  const rows = new Map<string, Row>();
  let shown = 0;
  let last = Number.NEGATIVE_INFINITY;

  function draw(text: string): void {
    const back = shown === 0 ? '' : `\x1b[${shown}A`;
    shown = text.split('\n').length - 1;
    io.err(`${back}\r\x1b[J${text}`);
  }

  return {
    step(finding, done, total) {
      const key = `${finding.transport.padEnd(9)} ${finding.revision}`;
      const row = rows.get(key) ?? { passed: 0, failure: 0, warning: 0, advice: 0, 'not checked': 0 };
      row[outcomeOf(finding)]++;
      rows.set(key, row);
      if (done < total && options.now() - last < EVERY) return;
      last = options.now();
      draw(`${bar(done, total)} ${done}/${total} ${finding.check.id}\n${table(rows)}`);
    },
    end() {
      draw('');
    },
  };
}

function bar(done: number, total: number): string {
  const full = total === 0 ? WIDTH : Math.round((done / total) * WIDTH);
  return `${'█'.repeat(full)}${'░'.repeat(WIDTH - full)}`;
}

function table(rows: ReadonlyMap<string, Row>): string {
  return [...rows]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(
      ([key, row]) =>
        `${key}  ✔ ${pad(row.passed)} ✘ ${pad(row.failure)} ▲ ${pad(row.warning)} · ${pad(row.advice)} – ${pad(row['not checked'])}\n`,
    )
    .join('');
}

const pad = (count: number): string => String(count).padStart(3);
