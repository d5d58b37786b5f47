// The clock of all cells: one timer that ticks while there are calls, and looks at each cell that has some. A call
// over its time is found within a tick and killed at once.

import type { Cell } from './cell.ts';
import { endIfTooLarge } from './end/memory.ts';
import { endIfOverCpu, endIfOverTime } from './end/timeout.ts';

const TICK_MS = 10;
/** Processor time and memory are read less often: the kernel counts in steps of 10 ms, and reading costs a little. */
const USAGE_EVERY = 5;

export interface Watch {
  /** Makes sure that the clock runs. */
  wake(): void;
  close(): void;
}

export function createWatch(cells: ReadonlySet<Cell>): Watch {
  let timer: NodeJS.Timeout | null = null;
  let ticks = 0;

  const stop = (): void => {
    if (timer !== null) clearInterval(timer);
    timer = null;
  };

  const tick = (): void => {
    ticks++;
    const now = performance.now();
    let busy = false;
    for (const cell of [...cells]) {
      if (cell.calls.size === 0) continue;
      busy = true;
      endIfOverTime(cell, now);
      if (ticks % USAGE_EVERY === 0) look(cell);
    }
    if (!busy) stop();
  };

  return {
    wake() {
      timer ??= setInterval(tick, TICK_MS);
    },
    close: stop,
  };
}

function look(cell: Cell): void {
  const usage = cell.usage();
  if (usage === null || cell.state === 'ended') return;
  endIfOverCpu(cell, usage.cpuMs);
  endIfTooLarge(cell, usage.residentBytes);
}
