// The handle table of one component instance. Which index a new handle gets is part of the specification: the one
// freed last, or else the next; index 0 is never used.

import { raise } from '../trap.ts';
import type { ResourceHandle, RuntimeResource } from './resource.ts';

/** An error context: a message that travels between components by handle. */
export interface ErrorContext {
  readonly message: string;
}

type Entry = ResourceHandle | ErrorContext;

const MAX_LENGTH = 2 ** 28 - 1;

export interface HandleTable {
  add(entry: Entry): number;
  resource(index: number, type: RuntimeResource): ResourceHandle;
  /** Takes a handle out of the table, which fails while it is lent. */
  removeResource(index: number, type: RuntimeResource): ResourceHandle;
  errorContext(index: number): ErrorContext;
  remove(index: number): void;
  readonly size: number;
}

export function createHandleTable(): HandleTable {
  const entries: (Entry | null)[] = [null];
  const free: number[] = [];

  function get(index: number): Entry {
    const entry = entries[index >>> 0];
    if (entry === undefined || entry === null) return raise('handle', `unknown handle index ${index >>> 0}`);
    return entry;
  }

  function remove(index: number): void {
    entries[index >>> 0] = null;
    free.push(index >>> 0);
  }

  function resource(index: number, type: RuntimeResource): ResourceHandle {
    const entry = get(index);
    if (!('resource' in entry) || entry.resource !== type) {
      const found = 'resource' in entry ? `a different ${sort(entry.resource)}` : 'an error context';
      raise(
        'handle',
        `handle index ${index >>> 0} used with the wrong type, expected ${sort(type)} but found ${found}`,
      );
    }
    return entry;
  }

  return {
    add(entry) {
      const reused = free.pop();
      if (reused !== undefined) {
        entries[reused] = entry;
        return reused;
      }
      if (entries.length > MAX_LENGTH) raise('handle', 'the handle table is full');
      return entries.push(entry) - 1;
    },
    resource,
    removeResource(index, type) {
      const handle = resource(index, type);
      if (handle.lends !== 0) raise('handle', 'cannot remove owned resource while borrowed');
      remove(index);
      return handle;
    },
    errorContext(index) {
      const entry = get(index);
      if ('resource' in entry) raise('handle', `handle index ${index >>> 0} is not an error context`);
      return entry;
    },
    remove,
    get size() {
      return entries.length - 1 - free.length;
    },
  };
}

const sort = (type: RuntimeResource): string =>
  type.impl === null ? 'host-defined resource' : 'guest-defined resource';
