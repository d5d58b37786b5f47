// Handles that calls of a session gave to their caller, as opaque strings. A string means something only within the
// session it was given in, and nobody can guess one. Without a session there are none.

import { randomUUID } from 'node:crypto';
import type { HandleTable } from '../../wit/handle.ts';
import type { ResourceType } from '../../wit/type.ts';
import type { Value } from '../../wit/value.ts';

interface Held {
  readonly handle: Value;
  readonly resource: ResourceType;
}

const MOST = 1024;

export interface SessionHandles extends HandleTable {
  /** The session whose values are read or written next; conversion never waits, so one at a time is enough. */
  use(session: string): void;
  forget(session: string): void;
}

export function createSessionHandles(): SessionHandles {
  const sessions = new Map<string, Map<string, Held>>();
  let current = '';
  return {
    use(session) {
      current = session;
    },
    forget(session) {
      sessions.delete(session);
    },
    give(handle, resource) {
      if (current === '') return '';
      const held = sessions.get(current) ?? new Map<string, Held>();
      sessions.set(current, held);
      if (held.size >= MOST) throw new RangeError(`a session holds at most ${MOST} handles`);
      const text = randomUUID();
      held.set(text, { handle, resource });
      return text;
    },
    take(text, resource, mode) {
      const held = sessions.get(current);
      const found = held?.get(text);
      if (found === undefined || found.resource !== resource) return undefined;
      if (mode === 'own') held?.delete(text);
      return found.handle;
    },
  };
}
