// Calls into a lifted function: from the host here, from another component by way of `adapt`. Both follow `canon lift`
// of the specification step by step: enter, lower the arguments, run, lift the result, post-return, leave.
// Where the guest may suspend, everything after the core call happens when its promise settles.

import { WitboxError } from '../../core/errors.ts';
import type { Value } from '../../wit/value.ts';
import type { AbiContext, FlatValue } from '../abi/context.ts';
import type { FuncAbi } from '../abi/func.ts';
import { type BorrowScope, createScope, returnLoans } from '../abi/resource.ts';
import type { MadeFunction } from '../schedule.ts';
import { crossing, raise } from '../trap.ts';
import type { LiftedFunc } from './extern.ts';
import {
  type ComponentInstance,
  checkMayLeave,
  enter,
  enteringSet,
  isKin,
  leave,
  type Task,
} from './instance.ts';

type CoreResult = FlatValue | undefined;

/** Calling with a known number of arguments is much faster than spreading an array. */
export function apply(call: MadeFunction, flat: readonly FlatValue[]): CoreResult | Promise<CoreResult> {
  switch (flat.length) {
    case 0:
      return call();
    case 1:
      return call(flat[0]!);
    case 2:
      return call(flat[0]!, flat[1]!);
    case 3:
      return call(flat[0]!, flat[1]!, flat[2]!);
    case 4:
      return call(flat[0]!, flat[1]!, flat[2]!, flat[3]!);
    default:
      return call(...flat);
  }
}

export function callFromHost(func: LiftedFunc, args: readonly Value[]): Value | Promise<Value> {
  const { instance, cx } = func;
  const entered = instance.around;
  const abi = func.abi.host;
  enter(entered);
  const outer = instance.task;
  instance.task = null;
  const scope = abi.borrows ? createScope() : null;
  cx.scope = scope;
  let flat: FlatValue[];
  try {
    flat = abi.lowerParams(cx, args);
  } catch (error) {
    // Wrong arguments are the host's mistake: the guest has not run, and goes on unharmed.
    if (error instanceof WitboxError) {
      instance.task = outer;
      leave(entered);
    }
    throw error;
  }
  const core = apply(func.call, flat);
  const finish = (result: CoreResult): Value => {
    const value = takeResult(func, abi, scope, result);
    afterReturn(func, result);
    instance.task = outer;
    leave(entered);
    return value;
  };
  return core instanceof Promise ? core.then(finish) : finish(core);
}

function takeResult(func: LiftedFunc, abi: FuncAbi, scope: BorrowScope | null, result: CoreResult): Value {
  const value =
    func.abi.async === null
      ? abi.liftResult(func.cx, result)
      : takeReturned(func.instance.task, func.abi.async, result);
  if (scope !== null && scope.borrows > 0)
    raise('handle', 'borrow handles still remain at the end of the call');
  return value;
}

function takeReturned(task: Task | null, mode: 'callback' | 'stackful', result: CoreResult): Value {
  // A callback asks with a code other than 0 (exit) to be called again once something has happened.
  if (mode === 'callback' && result !== 0)
    raise('core', 'waiting for events needs WASI 0.3 async, not supported yet');
  if (task?.returned == null) return raise('abi', 'async function ended without a call of task.return');
  return task.returned.value as Value;
}

function afterReturn({ instance, postReturn }: LiftedFunc, result: CoreResult): void {
  if (postReturn === null) return;
  instance.mayLeave = false;
  if (result === undefined) postReturn();
  else postReturn(result);
  instance.mayLeave = true;
}

/** What lowering the function asks of the caller's side. */
export interface Caller {
  readonly instance: ComponentInstance;
  readonly cx: AbiContext;
  readonly abi: FuncAbi;
  /** What an asynchronously lowered function tells its caller: that it has returned already. */
  readonly code: number | null;
}

/** The core function by which one component calls a function of another. */
export function adapt(callee: LiftedFunc, caller: Caller): MadeFunction {
  const { instance, cx } = callee;
  if (isKin(instance, caller.instance)) {
    return () => {
      checkMayLeave(caller.instance);
      return raise('reentrance', 'cannot enter component instance');
    };
  }
  const entered = enteringSet(instance, caller.instance);
  const abi = callee.abi.guest;

  function start(flat: FlatValue[], loans: BorrowScope | null, scope: BorrowScope | null): FlatValue[] {
    caller.cx.scope = loans;
    const args = caller.abi.liftParams(caller.cx, flat);
    cx.scope = scope;
    return abi.lowerParams(cx, args);
  }

  return (...flat) => {
    checkMayLeave(caller.instance);
    enter(entered);
    const outer = instance.task;
    instance.task = null;
    const loans = caller.abi.borrows ? createScope() : null;
    const scope = abi.borrows ? createScope() : null;
    const finish = (result: CoreResult): CoreResult => {
      const value = takeResult(callee, abi, scope, result);
      const lowered = caller.abi.lowerResult(caller.cx, value, flat);
      afterReturn(callee, result);
      instance.task = outer;
      leave(entered);
      if (loans !== null) returnLoans(loans);
      return caller.code ?? lowered;
    };
    try {
      const core = apply(callee.call, start(flat, loans, scope));
      return core instanceof Promise ? core.then(finish).catch(rethrow) : finish(core);
    } catch (error) {
      throw crossing(error);
    }
  };
}

function rethrow(error: unknown): never {
  throw crossing(error);
}
