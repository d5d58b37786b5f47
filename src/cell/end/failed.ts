// Ends that the cell itself reports. It may lie; all it can change by that is the fate of its own call.

import type { WireValue } from '../../core/port.ts';
import type { ActiveCall } from '../active-call.ts';
import { type End, failure } from '../outcome.ts';
import type { FailureKind } from '../wire/from-cell.ts';
import { endByExit } from './exit.ts';
import { overOutput } from './output.ts';
import { endByTrap } from './trap.ts';

export function endOfFailed(call: ActiveCall, kind: FailureKind, message: string, detail: WireValue): End {
  switch (kind) {
    case 'exit':
      return endByExit(detail);
    case 'trap':
      return endByTrap(message);
    case 'output':
      return overOutput(call);
    default:
      return failure(kind, message);
  }
}
