// The steps that turn core functions into component functions and back. Types are compiled when the first instance
// needs them, and kept for all that follow.

import { type AbiContext, type CoreFunction, createContext } from '../abi/context.ts';
import { createFuncAbi, type FlatLimits, type FuncAbi, SYNC } from '../abi/func.ts';
import { createCodecs } from '../abi/types.ts';
import type { CanonOptions, Step } from '../plan.ts';
import { awaitable, type MadeFunction, suspendable } from '../schedule.ts';
import { adapt, type Caller } from './call.ts';
import type { LiftAbi } from './extern.ts';
import type { Frame } from './frame.ts';
import { lowerHost } from './host.ts';

type Lift = Extract<Step, { op: 'lift' }>;
type Lower = Extract<Step, { op: 'lower' }>;

/** Puts a core function made in JavaScript into its space. */
export function addMade(frame: Frame, call: MadeFunction, blocks: boolean): void {
  frame.add('core func', blocks ? suspendable(call, frame.shared.suspendables) : (call as CoreFunction));
}

function lazyAbi(step: Lift | Lower, peer: 'host' | 'guest', limits: FlatLimits): () => FuncAbi {
  const { encoding, memory64 } = step.options;
  let abi: FuncAbi | undefined;
  return () => {
    abi ??= createFuncAbi(step.type, createCodecs({ encoding, is64: memory64, peer }), limits);
    return abi;
  };
}

function contextOf(frame: Frame, { memory, realloc, memory64 }: CanonOptions): AbiContext {
  return createContext(
    frame.self,
    memory === null ? null : frame['core memory'][memory]!,
    realloc === null ? null : frame['core func'][realloc]!,
    memory64,
    frame.shared.limits.valueBytes,
  );
}

export function compileLift(step: Lift): (frame: Frame) => void {
  const { options, type } = step;
  const host = lazyAbi(step, 'host', SYNC);
  const guest = lazyAbi(step, 'guest', SYNC);
  const abi: LiftAbi = {
    get host() {
      return host();
    },
    get guest() {
      return guest();
    },
    async: !options.async ? null : options.callback === null ? 'stackful' : 'callback',
  };
  return (frame) => {
    const { self, shared } = frame;
    const core = frame['core func'][step.func]!;
    frame.add('func', {
      kind: 'lifted',
      type,
      instance: self,
      cx: contextOf(frame, options),
      call: self.blocks ? awaitable(core, shared.suspendables) : core,
      postReturn: options.postReturn === null ? null : frame['core func'][options.postReturn]!,
      abi,
      blocks: self.blocks,
    });
  };
}

const ASYNC_LOWER: FlatLimits = { params: 4, results: 0 };
/** What an asynchronously lowered function gives its caller when the call is over before it returns. */
const RETURNED = 2;

export function compileLower(step: Lower): (frame: Frame) => void {
  const { options } = step;
  const limits = options.async ? ASYNC_LOWER : SYNC;
  const host = lazyAbi(step, 'host', limits);
  const guest = lazyAbi(step, 'guest', limits);
  return (frame) => {
    const func = frame.func[step.func]!;
    const caller: Caller = {
      instance: frame.self,
      cx: contextOf(frame, options),
      abi: func.kind === 'host' ? host() : guest(),
      code: options.async ? RETURNED : null,
    };
    addMade(frame, func.kind === 'host' ? lowerHost(func, caller) : adapt(func, caller), func.blocks);
  };
}
