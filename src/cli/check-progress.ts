// What a person sees while checks run: one line that is written over. Programs see nothing.

import type { Finding } from '../check/model.ts';
import { outcomeOf } from '../check/report/summary.ts';
import type { Io } from './command.ts';

const WIDTH = 30;

export function createProgress(io: Io): {
  step(finding: Finding, done: number, total: number): void;
  end(): void;
} {
  if (!process.stderr.isTTY) return { step() {}, end() {} };
  const counts = { failure: 0, warning: 0 };
  return {
    step(finding, done, total) {
      const outcome = outcomeOf(finding);
      if (outcome === 'failure' || outcome === 'warning') counts[outcome]++;
      const full = Math.round((done / total) * WIDTH);
      const bar = `${'█'.repeat(full)}${'░'.repeat(WIDTH - full)}`;
      io.err(
        `\r\x1b[K${bar} ${done}/${total} ${finding.transport} ${finding.revision} ${finding.check.id}  ✘ ${counts.failure} ▲ ${counts.warning}`,
      );
    },
    end() {
      io.err('\r\x1b[K');
    },
  };
}
