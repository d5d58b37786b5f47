// Whether a request is let in at all, asked for every request of every transport before anything is done for it; and
// what its answer cost. The gate has the rules; without one everybody is let in.

import type { Caller } from '../core/caller.ts';
import type { RequestMessage } from './envelope.ts';
import type { Route } from './route.ts';

export interface Admission {
  /** Throws what keeps the caller from being served now. */
  admit(caller: Caller, request: Pick<RequestMessage, 'method' | 'size'>): void;
  /** The same route, with what goes over it counted for the caller. */
  counted(caller: Caller, route: Route): Route;
}

export const OPEN: Admission = { admit() {}, counted: (_, route) => route };
