// What the codecs ask of whoever keeps the handles of a session: resources cross the border as opaque strings, and only
// the keeper knows what a string stands for.

import type { ResourceType } from './type.ts';
import type { Value } from './value.ts';

export interface HandleTable {
  /** The string for a handle that a call gave. */
  give(handle: Value, resource: ResourceType): string;
  /**
   * The handle that a string stands for, or undefined if it is unknown, was given away, or is of another resource.
   * `own` gives the handle away with the call, `borrow` lends it.
   */
  take(text: string, resource: ResourceType, mode: 'own' | 'borrow'): Value;
}

/** For components that keep no state between calls: nothing can be given, every string is unknown. */
export const NO_HANDLES: HandleTable = {
  give: () => '',
  take: () => undefined,
};
