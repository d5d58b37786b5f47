// The context of a call that a test makes: nobody to ask, nothing to stream to.

import type { CallContext } from '../../src/catalog/catalog.ts';
import { ANYBODY, type Caller } from '../../src/core/caller.ts';

export function callContext(
  caller: Caller = ANYBODY,
  signal: AbortSignal = new AbortController().signal,
  session: string | null = null,
): CallContext {
  return {
    caller,
    client: { info: null, revision: '2026-07-28', capabilities: {} },
    transport: 'test',
    session,
    signal,
    meta: {},
    tasks: false,
    progress() {},
    log() {},
    closeStream() {},
  };
}
