// A call over its time. The guest may never come back to be asked, so the process is killed, never requested to stop;
// the other calls of the cell are told that they may try again.

import { type ActiveCall, isRunning } from '../active-call.ts';
import type { Cell } from '../cell.ts';
import { failure } from '../outcome.ts';
import { interrupted } from './interrupted.ts';

export function endIfOverTime(cell: Cell, now: number): void {
  for (const call of cell.calls.values()) {
    if (call.startedAt === 0 || now - call.startedAt < call.limits.wallMs) continue;
    endFor(cell, call, 'timeout', `The call took longer than ${call.limits.wallMs} ms`);
    return;
  }
}

/** Charges processor time to the calls that ran: those that wait for the host use none. */
export function endIfOverCpu(cell: Cell, cpuMs: number): void {
  const before = cell.seenCpuMs;
  cell.seenCpuMs = cpuMs;
  // Not looked at since it was idle: what it used until now is not of these calls.
  if (before === null) return;
  const spent = cpuMs - before;
  const running = [...cell.calls.values()].filter(isRunning);
  for (const call of running) {
    call.cpuMs += spent / running.length;
    if (call.cpuMs < call.limits.cpuMs) continue;
    endFor(cell, call, 'cpu', `The call used more than ${call.limits.cpuMs} ms of processor time`);
    return;
  }
}

function endFor(cell: Cell, guilty: ActiveCall, kind: 'timeout' | 'cpu', message: string): void {
  cell.end(
    (call) =>
      call === guilty ? failure(kind, message) : interrupted('another call in its cell took too long'),
    kind,
  );
}
