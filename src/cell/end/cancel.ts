// The caller does not want the answer any more. The call is settled at once. Its work is stopped by asking the cell,
// which can give up a guest that waits; a guest that runs cannot be asked, so the cell is killed after a moment.

import { type ActiveCall, settle } from '../active-call.ts';
import type { Cell } from '../cell.ts';
import { failure } from '../outcome.ts';
import { interrupted } from './interrupted.ts';

const GRACE_MS = 25;

export function cancel(cell: Cell, call: ActiveCall): void {
  settle(call, cancelled());
  cell.askToCancel(call);
  setTimeout(() => {
    // Still in the cell: it has not said that it gave up.
    if (cell.calls.get(call.id) === call)
      cell.end(() => interrupted('another call in its cell was cancelled'), 'cancelled');
  }, GRACE_MS);
}

export const cancelled = () => failure('cancelled', 'The call was cancelled');
