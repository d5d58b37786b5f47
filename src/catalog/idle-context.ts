// The context of calls that no client asked for: when a component is loaded and describes itself.

import { WITBOX } from '../core/caller.ts';
import type { CallContext } from './catalog.ts';

export function idleContext(): CallContext {
  return {
    caller: WITBOX,
    client: { info: null, revision: '', capabilities: {} },
    transport: 'none',
    session: null,
    signal: new AbortController().signal,
    meta: {},
    tasks: false,
    progress() {},
    log() {},
    closeStream() {},
  };
}
