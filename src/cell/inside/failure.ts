// What went wrong in a call, in the words of the wire. A message may come from the guest; it is cut, and carries no
// stack and no path of the machine.

import { WitboxError } from '../../core/errors.ts';
import type { WireValue } from '../../core/port.ts';
import { Trap } from '../../engine/engine.ts';
import { GuestExit } from '../../wasi/cli/exit.ts';
import type { FailureKind } from '../wire/from-cell.ts';
import { CallCancelled } from './instance-port.ts';

export interface CallFailure {
  readonly kind: FailureKind;
  readonly message: string;
  readonly detail: WireValue;
}

const MOST_MESSAGE = 1000;

/** The exit that an error stands for: it crosses the guest as the cause of a trap. */
export function exitOf(error: unknown): GuestExit | null {
  return findCause(error, (at) => at instanceof GuestExit);
}

export function describeFailure(error: unknown): CallFailure {
  const exit = exitOf(error);
  if (exit !== null) return { kind: 'exit', message: '', detail: exit.code };
  if (findCause(error, (at) => at instanceof CallCancelled) !== null) {
    return { kind: 'cancelled', message: 'The call was cancelled', detail: null };
  }
  if (error instanceof WitboxError) {
    const kind =
      error.code === 'value-misfit' ? 'misfit' : error.code === 'guest-over-limit' ? 'memory' : 'trap';
    return { kind, message: cut(error.message), detail: null };
  }
  if (isAllocation(error) || (error instanceof Trap && isAllocation(error.cause))) {
    return { kind: 'memory', message: 'The component asked for more memory than it may have', detail: null };
  }
  const message = error instanceof Error ? error.message : 'unknown';
  return { kind: 'trap', message: cut(message), detail: null };
}

function findCause<T>(error: unknown, is: (at: Error) => at is Error & T): T | null {
  for (let at = error; at instanceof Error; at = at.cause) if (is(at)) return at;
  return null;
}

function isAllocation(error: unknown): boolean {
  return (
    error instanceof RangeError && /allocat|invalid (array|string) length|out of memory/i.test(error.message)
  );
}

const cut = (text: string): string => text.slice(0, MOST_MESSAGE).toWellFormed();
