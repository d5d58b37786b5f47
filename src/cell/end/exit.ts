// The guest called exit instead of returning. It ended itself alone: its instance is thrown away, the cell goes on.

import type { WireValue } from '../../core/port.ts';
import { type End, failure } from '../outcome.ts';

export function endByExit(detail: WireValue): End {
  const code = typeof detail === 'number' && Number.isInteger(detail) ? detail & 0xff : 1;
  return failure('exit', `The component called exit with status ${code} and gave no result`, code);
}
