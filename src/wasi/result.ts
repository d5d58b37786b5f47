// `result` values as the engine takes them, and failures of the broker as the error of an interface.

import { HostFailure } from '../core/port.ts';
import type { Value } from '../wit/value.ts';

export const ok = (val?: Value): Value => ({ tag: 'ok', val });
export const err = (val?: Value): Value => ({ tag: 'err', val });

/** Awaits an answer and gives it as `ok`, or the failure as `err` through `toError`; anything else traps the guest. */
export async function settle<T>(
  answer: Promise<T>,
  toValue: (answer: T) => Value,
  toError: (failure: HostFailure) => Value,
): Promise<Value> {
  try {
    return ok(toValue(await answer));
  } catch (error) {
    if (error instanceof HostFailure) return err(toError(error));
    throw error;
  }
}
