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

export class HandleTable {
  readonly #entries: (Entry | null)[] = [null];
  #free: number[] | null = null;

  get size(): number {
    return this.#entries.length - 1 - (this.#free?.length ?? 0);
  }

  add(entry: Entry): number {
    const reused = this.#free?.pop();
    if (reused !== undefined) {
      this.#entries[reused] = entry;
      return reused;
    }
    if (this.#entries.length > MAX_LENGTH) raise('handle', 'the handle table is full');
    return this.#entries.push(entry) - 1;
  }

  resource(index: number, type: RuntimeResource): ResourceHandle {
    const entry = this.#get(index);
    if (!('resource' in entry) || entry.resource !== type) {
      const found = 'resource' in entry ? `a different ${sort(entry.resource)}` : 'an error context';
      const expected = `expected ${sort(type)} but found ${found}`;
      raise('handle', `handle index ${index >>> 0} used with the wrong type, ${expected}`);
    }
    return entry;
  }

  /** Takes a handle out of the table, which fails while it is lent. */
  removeResource(index: number, type: RuntimeResource): ResourceHandle {
    const handle = this.resource(index, type);
    if (handle.lends !== 0) raise('handle', 'cannot remove owned resource while borrowed');
    this.remove(index);
    return handle;
  }

  errorContext(index: number): ErrorContext {
    const entry = this.#get(index);
    if ('resource' in entry) raise('handle', `handle index ${index >>> 0} is not an error context`);
    return entry;
  }

  remove(index: number): void {
    this.#entries[index >>> 0] = null;
    this.#free ??= [];
    this.#free.push(index >>> 0);
  }

  /** Empties the table and gives what was in it. */
  drain(): readonly Entry[] {
    const entries = this.#entries.splice(1).filter((entry) => entry !== null);
    this.#free = null;
    return entries;
  }

  #get(index: number): Entry {
    const entry = this.#entries[index >>> 0];
    if (entry === undefined || entry === null) return raise('handle', `unknown handle index ${index >>> 0}`);
    return entry;
  }
}

const sort = (type: RuntimeResource): string =>
  type.impl === null ? 'host-defined resource' : 'guest-defined resource';
