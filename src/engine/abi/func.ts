// A function type compiled for one set of canonical options: its parameters and result, passed flat or, where they
// are too many, through memory.

import type { FuncType } from '../../wit/type.ts';
import type { Value } from '../../wit/value.ts';
import { MAX_FLAT_PARAMS } from './codec.ts';
import {
  type AbiContext,
  allocate,
  checkRange,
  type FlatValue,
  liftPointer,
  lowerPointer,
  refresh,
} from './context.ts';
import { createTupleCodec } from './product.ts';
import type { CodecOf } from './types.ts';

export interface FuncAbi {
  readonly borrows: boolean;
  /** Caller's values → core arguments of a lifted function. */
  lowerParams(cx: AbiContext, args: readonly Value[]): FlatValue[];
  /** Core result of a lifted function → value. */
  liftResult(cx: AbiContext, result: FlatValue | undefined): Value;
  /** Core arguments of a lowered function → values. */
  liftParams(cx: AbiContext, flat: FlatValue[]): readonly Value[];
  /** Value → core result of a lowered function, which may go to memory at the last core argument. */
  lowerResult(cx: AbiContext, value: Value, flat: FlatValue[]): FlatValue | undefined;
}

/** How many flat values fit; asynchronous lowering has room for fewer. */
export interface FlatLimits {
  readonly params: number;
  readonly results: number;
}

export const SYNC: FlatLimits = { params: MAX_FLAT_PARAMS, results: 1 };

export function createFuncAbi(type: FuncType, codecOf: CodecOf, limits: FlatLimits = SYNC): FuncAbi {
  const params = createTupleCodec(
    type.params.map((param) => codecOf(param.type)),
    'parameters',
  );
  const result = type.result === null ? null : codecOf(type.result);
  const spillParams = params.flat === null || params.flat.length > limits.params;
  const spillResult = result !== null && (result.flat === null || result.flat.length > limits.results);

  return {
    borrows: params.borrows,
    lowerParams(cx, args) {
      const flat: FlatValue[] = [];
      refresh(cx);
      if (spillParams) {
        const ptr = allocate(cx, params.align, params.size);
        params.store(cx, ptr, args);
        flat.push(lowerPointer(cx, ptr));
      } else {
        params.lower(cx, args, flat);
      }
      return flat;
    },
    liftParams(cx, flat) {
      refresh(cx);
      cx.left = cx.budget;
      if (!spillParams) return params.lift(cx, flat, 0) as readonly Value[];
      const ptr = liftPointer(flat[0] as FlatValue);
      checkRange(cx, ptr, params.align, params.size, 'parameters');
      return params.load(cx, ptr) as readonly Value[];
    },
    liftResult(cx, core) {
      if (result === null) return undefined;
      refresh(cx);
      cx.left = cx.budget;
      if (!spillResult) return result.lift(cx, [core as FlatValue], 0);
      const ptr = liftPointer(core as FlatValue);
      checkRange(cx, ptr, result.align, result.size, 'result');
      return result.load(cx, ptr);
    },
    lowerResult(cx, value, flat) {
      if (result === null) return undefined;
      refresh(cx);
      if (spillResult) {
        const ptr = liftPointer(flat.at(-1) as FlatValue);
        checkRange(cx, ptr, result.align, result.size, 'result');
        result.store(cx, ptr, value);
        return undefined;
      }
      const out: FlatValue[] = [];
      result.lower(cx, value, out);
      return out[0];
    },
  };
}
