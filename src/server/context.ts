// What a catalogue gets to know and may do during one call, made from the request it serves.

import type { CallContext } from '../catalog/catalog.ts';
import { flowOf } from '../core/flow.ts';
import type { Request } from './dialect.ts';
import type { TaskRun } from './tasks.ts';

export function callContext(request: Request): CallContext {
  return {
    caller: request.caller,
    client: request.client,
    transport: request.transport,
    session: request.session.id,
    signal: request.signal,
    meta: request.meta,
    tasks: request.dialect.tasks?.possible(request.client.capabilities, request.params) ?? false,
    progress: request.progress,
    log: request.log,
    closeStream: request.closeStream,
  };
}

/** A task outlives the request that made it: its messages have no stream, so progress becomes its status message. */
export function taskContext(request: Request, run: TaskRun): CallContext {
  return {
    ...callContext(request),
    signal: run.signal,
    tasks: false,
    progress(progress, total, message) {
      run.say(message ?? (total === undefined ? `${progress}` : `${progress} of ${total}`));
    },
    log() {},
    closeStream() {},
  };
}

/** Tasks belong to the caller, and to the session where there is one. */
export function taskOwner(request: Request): string {
  return `${request.caller.id}\0${request.session.id ?? ''}`;
}

/** Whose tasks are counted together, in all sessions; null for whoever nobody tells apart, and on pipes. */
export function taskHolder({ caller }: Request): string | null {
  return caller.address === null ? null : flowOf(caller);
}
