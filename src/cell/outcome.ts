// How a call ended, as the catalogue sees it: a value, never a throw. `retryable` means that the call itself did
// nothing wrong and may be made again. Messages are for people: sentence case, no path, no stack of the machine.

export interface Denial {
  readonly permission: string;
  readonly reason: string;
}

export type End =
  /** The function's result as JSON text. */
  | { readonly kind: 'ok'; readonly json: string }
  /** The `err` of the function's own `result` as JSON text. */
  | { readonly kind: 'err'; readonly json: string }
  | { readonly kind: Failure; readonly message: string; readonly retryable: boolean; readonly code?: number };

export type Failure =
  /** The arguments do not fit the function's types. */
  | 'misfit'
  | 'trap'
  | 'exit'
  | 'timeout'
  | 'cpu'
  | 'memory'
  | 'output'
  | 'cancelled'
  /** The cell died, or broke the rules of the wire, with this call in it. */
  | 'crashed'
  /** The cell was ended because of another call. */
  | 'interrupted'
  | 'shutdown';

export type Outcome = End & {
  /** What the guest asked for and was refused during the call. */
  readonly denials: readonly Denial[];
  /** From the start in its cell to the end. */
  readonly wallMs: number;
};

const RETRYABLE: ReadonlySet<Failure> = new Set(['interrupted', 'shutdown', 'crashed']);

export function failure(kind: Failure, message: string, code?: number): End {
  return { kind, message, retryable: RETRYABLE.has(kind), ...(code === undefined ? {} : { code }) };
}
