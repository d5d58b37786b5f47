// Everything about suspending. A guest that calls an import which may take time is suspended by V8 (JSPI): the core
// stack from the exported function to the import is set aside until the promise settles, and the host goes on.
// JavaScript frames cannot be set aside, so where a call crosses from one component to another both ends are made
// explicit: the import is a `Suspending` function which awaits the `promising` export. What cannot suspend is called
// straight, without promises. Tasks of WASI 0.3 will be scheduled here.

import type { Value } from '../wit/value.ts';
import type { CoreFunction, FlatValue } from './abi/context.ts';

export type SyncFunc = (...args: Value[]) => Value;

/** A host function that may return a promise, for which the guest waits. */
export class SuspendingFunc {
  readonly call: (...args: Value[]) => Value | Promise<Value>;

  constructor(call: (...args: Value[]) => Value | Promise<Value>) {
    this.call = call;
  }
}

/** Marks a host function whose result may be a promise. One that returns a plain value costs no suspension. */
export function suspending(call: (...args: Value[]) => Value | Promise<Value>): SuspendingFunc {
  return new SuspendingFunc(call);
}

/** A core function made in JavaScript: gives a promise only if whoever made it said that it blocks. */
export type MadeFunction = (...flat: FlatValue[]) => FlatValue | undefined | Promise<FlatValue | undefined>;

interface Suspension {
  readonly Suspending: new (call: MadeFunction) => object;
  promising(core: CoreFunction): (...flat: FlatValue[]) => Promise<FlatValue>;
}
const { Suspending, promising } = WebAssembly as unknown as Suspension;

/** Functions made for one instantiation that suspend, by what stands for them in core imports. */
export type Suspendables = Map<object, MadeFunction>;

/** The import for a function that may suspend. */
export function suspendable(call: MadeFunction, known: Suspendables): CoreFunction {
  const value = new Suspending(call);
  known.set(value, call);
  return value as unknown as CoreFunction;
}

/** How a core function is called from outside when what it calls may suspend. */
export function awaitable(core: CoreFunction, known: Suspendables): MadeFunction {
  const made = known.get(core);
  if (made !== undefined) return made;
  try {
    return promising(core);
  } catch {
    // Made in JavaScript, so there is no core stack to set aside.
    return core;
  }
}
