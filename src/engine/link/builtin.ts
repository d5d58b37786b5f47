// Built-in functions that came with WASI 0.3. Those that work without waiting are here: the context of a call, error
// contexts, and the result of an asynchronously lifted function. All others trap when called, after the check that
// the specification puts first.

import type { ValType } from '../../wit/type.ts';
import type { Value } from '../../wit/value.ts';
import {
  type AbiContext,
  checkRange,
  createContext,
  liftPointer,
  refresh,
  storePointer,
} from '../abi/context.ts';
import { createFuncAbi, type FuncAbi } from '../abi/func.ts';
import { lengthOf, loadString, storeString } from '../abi/string.ts';
import { createCodecs } from '../abi/types.ts';
import type { CanonAst, StringEncoding } from '../decode/ast.ts';
import type { MadeFunction } from '../schedule.ts';
import { raise } from '../trap.ts';
import type { Frame } from './frame.ts';
import { checkMayLeave, taskOf } from './instance.ts';

type Builtin = Extract<CanonAst, { kind: 'builtin' }>;

/** Prepares a built-in of a component for all its instances. */
export function compileBuiltin(canon: Builtin, element: ValType | null): (frame: Frame) => MadeFunction {
  const encoding: StringEncoding = canon.options?.encoding ?? 'utf8';
  switch (canon.name) {
    case 'context.get':
    case 'context.set': {
      const [type, slot] = [canon.immediates[0], canon.immediates[1] === 1 ? 1 : 0] as const;
      if (canon.name === 'context.set') {
        return ({ self: instance }) =>
          (value) => {
            taskOf(instance).storage[slot] = value as number;
            return undefined;
          };
      }
      const read = type === 'i64' ? BigInt : Number;
      return ({ self: instance }) =>
        () =>
          read(taskOf(instance).storage[slot]);
    }
    case 'backpressure.inc':
    case 'backpressure.dec': {
      const step = canon.name === 'backpressure.inc' ? 1 : -1;
      return ({ self: instance }) =>
        () => {
          instance.backpressure += step;
          if (instance.backpressure < 0 || instance.backpressure === 2 ** 16) {
            raise('abi', 'backpressure counter overflow');
          }
          return undefined;
        };
    }
    case 'task.return':
      return taskReturn(canon, element, encoding);
    case 'error-context.new':
      return (frame) => {
        const instance = frame.self;
        const cx = contextOf(canon, frame);
        return (ptr, length) => {
          checkMayLeave(instance);
          refresh(cx);
          cx.left = cx.budget;
          return instance.handles.add({ message: loadString(cx, encoding, liftPointer(ptr!), length!) });
        };
      };
    case 'error-context.debug-message':
      return (frame) => {
        const instance = frame.self;
        const cx = contextOf(canon, frame);
        return (index, ptr) => {
          checkMayLeave(instance);
          showMessage(
            cx,
            encoding,
            instance.handles.errorContext(index as number).message,
            liftPointer(ptr!),
          );
          return undefined;
        };
      };
    case 'error-context.drop':
      return ({ self: instance }) =>
        (index) => {
          checkMayLeave(instance);
          instance.handles.errorContext(index as number);
          instance.handles.remove(index as number);
          return undefined;
        };
    default:
      return ({ self: instance }) =>
        () => {
          checkMayLeave(instance);
          return raise('core', `${canon.name} needs WASI 0.3 async, not supported yet`);
        };
  }
}

function contextOf({ options }: Builtin, frame: Frame): AbiContext {
  const memory = options?.memory == null ? null : frame['core memory'][options.memory]!;
  const realloc = options?.realloc == null ? null : frame['core func'][options.realloc]!;
  return createContext(frame.self, memory, realloc, false, frame.shared.limits.valueBytes);
}

function showMessage(cx: AbiContext, encoding: StringEncoding, message: string, ptr: number): void {
  refresh(cx);
  checkRange(cx, ptr, 4, 8, 'error context message');
  const stored = storeString(cx, encoding, message);
  storePointer(cx, ptr, stored.ptr);
  cx.view.setUint32(ptr + 4, Number(lengthOf(cx, stored)), true);
}

function taskReturn(canon: Builtin, result: ValType | null, encoding: StringEncoding) {
  let abi: FuncAbi | undefined;
  return (frame: Frame): MadeFunction => {
    const instance = frame.self;
    const cx = contextOf(canon, frame);
    return (...flat) => {
      checkMayLeave(instance);
      const task = taskOf(instance);
      if (task.returned !== null) raise('abi', 'task.return called more than once');
      const params = result === null ? [] : [{ name: 'value', type: result }];
      abi ??= createFuncAbi(
        { params, result: null, async: false },
        createCodecs({ encoding, is64: false, peer: 'guest' }),
      );
      const [value] = abi.liftParams(cx, flat) as readonly Value[];
      task.returned = { value };
      return undefined;
    };
  };
}
