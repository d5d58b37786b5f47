// What instances are made of at run time: functions, modules, components, resources, and instances of these.
// Everything here was either made by the engine or wraps what the host gave, and can be passed on to another component.

import type { CoreModuleType, FuncType } from '../../wit/type.ts';
import type { Value } from '../../wit/value.ts';
import type { AbiContext, CoreFunction } from '../abi/context.ts';
import type { FuncAbi } from '../abi/func.ts';
import type { RuntimeResource } from '../abi/resource.ts';
import type { MadeFunction } from '../schedule.ts';
import type { Frame } from './frame.ts';
import type { ComponentInstance } from './instance.ts';
import type { CompiledPlan } from './steps.ts';

/** A function that a component instance lifted. */
export interface LiftedFunc {
  readonly kind: 'lifted';
  readonly type: FuncType;
  readonly instance: ComponentInstance;
  readonly cx: AbiContext;
  readonly call: MadeFunction;
  readonly postReturn: CoreFunction | null;
  readonly abi: LiftAbi;
  readonly blocks: boolean;
}

/** Shared by all instances of a component; made when first needed. */
export interface LiftAbi {
  readonly host: FuncAbi;
  readonly guest: FuncAbi;
  /** How an asynchronously lifted function returns, if it is one. */
  readonly async: 'callback' | 'stackful' | null;
}

/** A function of the host. */
export interface HostFuncValue {
  readonly kind: 'host';
  readonly call: (...args: Value[]) => Value | Promise<Value>;
  readonly blocks: boolean;
}

export type FuncValue = LiftedFunc | HostFuncValue;

export interface ModuleValue {
  readonly module: WebAssembly.Module;
  /** Null for a module that the host compiled: V8 tells names and kinds of its imports and exports, not their types. */
  readonly type: CoreModuleType | null;
  /** The export to be called in place of its start function. */
  readonly start: string | null;
}

export interface ComponentValue {
  readonly plan: CompiledPlan;
  /** The instantiation in which it was defined, for its outer aliases. */
  readonly outer: Frame | null;
}

export interface InstanceValue {
  get(name: string): Extern | undefined;
  /** Something in it may suspend its caller. */
  readonly blocks: boolean;
}

export type Extern =
  | { readonly kind: 'func'; readonly value: FuncValue }
  | { readonly kind: 'module'; readonly value: ModuleValue }
  | { readonly kind: 'component'; readonly value: ComponentValue }
  | { readonly kind: 'instance'; readonly value: InstanceValue }
  /** Types other than resources exist before running only. */
  | { readonly kind: 'type'; readonly value: RuntimeResource | null };
