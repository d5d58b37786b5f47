// Resources at run time: the identity of a resource type, who implements it, and what counts its borrows.
// A representation is the guest's i32 for guest resources and the host's own object for host resources; neither is
// ever shown to another component, which sees indices of its own handle table.

import { toTrap } from '../trap.ts';
import type { Owner } from './context.ts';

export type Rep = number | bigint | object;

export interface RuntimeResource {
  readonly name: string;
  /** The component instance that defines it; null if the host does. */
  readonly impl: Owner | null;
  /** Destroys a representation on behalf of `caller`; a promise if the destructor may suspend. */
  destroy(rep: Rep, caller: Owner | null): void | Promise<void>;
  /** The destructor may suspend the guest that drops the last handle. */
  readonly blocks: boolean;
}

/**
 * A call during which handles are borrowed. On the callee's side `borrows` counts handles it still has to drop; on
 * the caller's side `lent` lists handles that must stay until the call is over.
 */
export interface BorrowScope {
  borrows: number;
  lent: ResourceHandle[] | null;
  /** What the host was shown of the handles lent to it. */
  shown: Handle[] | null;
}

export const createScope = (): BorrowScope => ({ borrows: 0, lent: null, shown: null });

export interface ResourceHandle {
  readonly resource: RuntimeResource;
  readonly rep: Rep;
  readonly own: boolean;
  readonly scope: BorrowScope | null;
  lends: number;
}

/** Ends the loans of a finished call. */
export function returnLoans(scope: BorrowScope): void {
  if (scope.lent !== null) for (const handle of scope.lent) handle.lends--;
  if (scope.shown !== null) for (const handle of scope.shown) handle.expire();
}

function rethrow(error: unknown): never {
  throw toTrap(error);
}

/**
 * A guest's resource in the host's hands. An owned one must be passed on or disposed of; one that was borrowed to a
 * host function is only good until that function returns.
 */
export class Handle {
  readonly #resource: RuntimeResource;
  #rep: Rep | null;
  readonly own: boolean;

  constructor(resource: RuntimeResource, rep: Rep, own: boolean) {
    this.#resource = resource;
    this.#rep = rep;
    this.own = own;
  }

  get type(): string {
    return this.#resource.name;
  }

  /** The representation if this is a live handle of `resource`, else null. */
  peek(resource: RuntimeResource): Rep | null {
    return resource === this.#resource ? this.#rep : null;
  }

  /** Takes the representation out, after which the handle is spent. */
  take(resource: RuntimeResource): Rep | null {
    const rep = this.own ? this.peek(resource) : null;
    if (rep !== null) this.#rep = null;
    return rep;
  }

  expire(): void {
    this.#rep = null;
  }

  /** Runs the destructor of an owned handle. */
  dispose(): void | Promise<void> {
    const rep = this.take(this.#resource);
    if (rep === null) return;
    try {
      return this.#resource.destroy(rep, null)?.catch(rethrow);
    } catch (error) {
      rethrow(error);
    }
  }
}
