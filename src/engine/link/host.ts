// The host's side of a link: functions and resources that the host gives to components.

import { WitboxError } from '../../core/errors.ts';
import type { Value } from '../../wit/value.ts';
import type { AbiContext, FlatValue } from '../abi/context.ts';
import type { FuncAbi } from '../abi/func.ts';
import { createScope, type Rep, type RuntimeResource, returnLoans } from '../abi/resource.ts';
import type { MadeFunction } from '../schedule.ts';
import { fromHost } from '../trap.ts';
import type { Caller } from './call.ts';
import type { HostFuncValue } from './extern.ts';
import { checkMayLeave } from './instance.ts';

/** A resource type of the host. Guests hold handles; host functions take and give the host's own objects. */
export class HostResource {
  readonly runtime: RuntimeResource;

  constructor(runtime: RuntimeResource) {
    this.runtime = runtime;
  }
}

export interface HostResourceOptions {
  readonly name: string;
  /** Called when a guest drops the handle that owns the object. */
  drop?(rep: object): void;
}

export function hostResource({ name, drop }: HostResourceOptions): HostResource {
  return new HostResource({
    name,
    impl: null,
    blocks: false,
    destroy(rep: Rep) {
      drop?.(rep as object);
    },
  });
}

/** The core function by which a component calls the host. Whatever the host throws traps the guest. */
export function lowerHost(
  { call, blocks }: HostFuncValue,
  { instance, cx, abi, code }: Caller,
): MadeFunction {
  return (...flat: FlatValue[]) => {
    checkMayLeave(instance);
    const loans = abi.borrows ? createScope() : null;
    cx.scope = loans;
    const args = abi.liftParams(cx, flat);
    const finish = (value: Value): FlatValue | undefined => {
      const lowered = lowerChecked(abi, cx, value, flat);
      if (loans !== null) returnLoans(loans);
      return code ?? lowered;
    };
    let value: Value | Promise<Value>;
    try {
      value = call(...(args as Value[]));
    } catch (error) {
      throw fromHost(error);
    }
    if (!(value instanceof Promise)) return finish(value);
    if (!blocks) throw fromHost(new WitboxError('promise-unmarked'));
    return value.then(finish, fail);
  };
}

/** A result that does not fit its type is the host's mistake, but the guest cannot go on without one. */
function lowerChecked(abi: FuncAbi, cx: AbiContext, value: Value, flat: FlatValue[]): FlatValue | undefined {
  try {
    return abi.lowerResult(cx, value, flat);
  } catch (error) {
    throw error instanceof WitboxError ? fromHost(error) : error;
  }
}

function fail(error: unknown): never {
  throw fromHost(error);
}
