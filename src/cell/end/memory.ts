// A call that takes more memory than it may. Linear memory simply stops growing, which the guest sees; this is for
// what lies outside of it: the heap of the cell (which aborts by itself), and the resident size as the system tells it.

import { type ActiveCall, isRunning } from '../active-call.ts';
import type { Cell, EndOf } from '../cell.ts';
import { failure } from '../outcome.ts';
import { interrupted } from './interrupted.ts';

/** What Node, the engine, compiled code and instances that wait to be collected may take besides linear memory. */
const ROOM_BESIDES = 512 << 20;

export const heapExhausted: EndOf = (call) =>
  isRunning(call)
    ? failure('memory', 'The component took more memory than its cell may have')
    : interrupted('another call took too much memory');

/** Ends the cell if it is larger than what its calls may have together. */
export function endIfTooLarge(cell: Cell, residentBytes: number): void {
  let allowed = ROOM_BESIDES;
  for (const call of cell.calls.values()) allowed += call.limits.memoryBytes;
  if (residentBytes > allowed) cell.end(overSize(residentBytes), 'memory');
}

function overSize(residentBytes: number): EndOf {
  const size = `${Math.round(residentBytes / (1 << 20))} MiB`;
  return (call: ActiveCall) =>
    isRunning(call)
      ? failure('memory', `The component took more memory than it may: its cell had ${size}`)
      : interrupted('another call took too much memory');
}
