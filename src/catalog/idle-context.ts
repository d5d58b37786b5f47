// The context of calls that no client asked for: when a component is loaded and describes itself.

import type { CallContext } from './catalog.ts';

export function idleContext(): CallContext {
  return {
    caller: { id: 'witbox' },
    client: { info: null, revision: '', capabilities: {} },
    session: null,
    signal: new AbortController().signal,
    meta: {},
    tasks: false,
    progress() {},
    log() {},
    closeStream() {},
  };
}
