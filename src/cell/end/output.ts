// A result that is larger than the call may give. The cell measures before it sends; the broker does not trust that.

import type { ActiveCall } from '../active-call.ts';
import { type End, failure } from '../outcome.ts';

export function resultOrOver(call: ActiveCall, ok: boolean, json: string): End {
  // Text has at most as many characters as bytes, so that the limit is never passed by more than its own encoding.
  return json.length > call.limits.outputBytes ? overOutput(call) : { kind: ok ? 'ok' : 'err', json };
}

export function overOutput(call: ActiveCall): End {
  return failure('output', `The result is larger than ${call.limits.outputBytes} bytes`);
}
