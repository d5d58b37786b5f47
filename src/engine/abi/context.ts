// What the canonical ABI needs to know of one instance while it lifts and lowers: memory, allocator, handles.
// One context exists per instance and set of canonical options. Views are renewed whenever guest code may have grown
// the memory, which detaches them; shared memories cannot be used with canonical options.

import { crossing, raise } from '../trap.ts';
import type { HandleTable } from './handle-table.ts';
import type { BorrowScope, RuntimeResource } from './resource.ts';

/** The side of a component instance that lifting and lowering see. */
export interface Owner {
  readonly handles: HandleTable;
  /** Run-time identities of the resource types its component knows, by slot. */
  readonly resources: RuntimeResource[];
  /** False while the guest runs a function that must not call out (realloc, post-return). */
  mayLeave: boolean;
}

export type FlatValue = number | bigint;
/** A core function; that arguments and result have the right types is the validator's work. */
export type CoreFunction = (...args: FlatValue[]) => FlatValue;

export interface AbiContext {
  readonly owner: Owner;
  readonly memory: WebAssembly.Memory | null;
  readonly realloc: CoreFunction | null;
  readonly is64: boolean;
  view: DataView;
  bytes: Uint8Array;
  /** Where borrows of the values now being lifted or lowered are counted. */
  scope: BorrowScope | null;
  /** How many bytes the values of one call may take up, and how many of them are left. */
  readonly budget: number;
  left: number;
}

const NO_MEMORY = new DataView(new ArrayBuffer(0));
const NO_BYTES = new Uint8Array(NO_MEMORY.buffer);

export function createContext(
  owner: Owner,
  memory: WebAssembly.Memory | null,
  realloc: CoreFunction | null,
  is64: boolean,
  budget: number,
): AbiContext {
  return {
    owner,
    memory,
    realloc,
    is64,
    view: NO_MEMORY,
    bytes: NO_BYTES,
    scope: null,
    budget,
    left: budget,
  };
}

/**
 * Counts what a guest's value takes up once lifted. A few bytes of guest memory, pointed to again and again from one
 * list, could otherwise be made into more than the host has.
 */
export function spend(cx: AbiContext, bytes: number): void {
  cx.left -= bytes;
  if (cx.left < 0) raise('abi', `values of one call take up more than ${cx.budget} bytes`);
}

/** To be called before touching memory after guest code has run: a grown memory leaves empty views behind. */
export function refresh(cx: AbiContext): void {
  if (cx.bytes.length === 0 && cx.memory !== null) {
    const { buffer } = cx.memory;
    cx.view = new DataView(buffer);
    cx.bytes = new Uint8Array(buffer);
  }
}

export function checkRange(cx: AbiContext, ptr: number, align: number, size: number, what: string): void {
  if (ptr % align !== 0) raise('abi', `unaligned pointer: ${what} at ${ptr} must be aligned to ${align}`);
  if (ptr + size > cx.bytes.length) raise('abi', `${what} out-of-bounds of memory`);
}

/** Asks the guest for memory and checks what it answers. */
export function allocate(cx: AbiContext, align: number, size: number): number {
  return reallocate(cx, 0, 0, align, size);
}

export function reallocate(
  cx: AbiContext,
  old: number,
  oldSize: number,
  align: number,
  size: number,
): number {
  const { owner, realloc } = cx;
  if (realloc === null) raise('abi', 'a value needs memory, but there is no realloc');
  owner.mayLeave = false;
  let ptr: number;
  try {
    ptr = cx.is64
      ? liftPointer(realloc(BigInt(old), BigInt(oldSize), BigInt(align), BigInt(size)))
      : (realloc(old, oldSize, align, size) as number) >>> 0;
  } catch (error) {
    throw crossing(error);
  }
  owner.mayLeave = true;
  refresh(cx);
  if (ptr % align !== 0) raise('abi', `realloc return: result not aligned: unaligned pointer ${ptr}`);
  if (ptr + size > cx.bytes.length)
    raise('abi', 'realloc return: beyond end of memory: content out-of-bounds');
  return ptr;
}

/** An i64 address as a number. Beyond 2^53 it is inexact, and out of bounds all the same. */
function toPointer(value: bigint): number {
  return Number(BigInt.asUintN(64, value));
}

export function liftPointer(value: FlatValue): number {
  return typeof value === 'bigint' ? toPointer(value) : value >>> 0;
}

export function lowerPointer(cx: AbiContext, ptr: number): FlatValue {
  return cx.is64 ? BigInt(ptr) : ptr;
}

export function loadPointer(cx: AbiContext, at: number): number {
  return cx.is64 ? Number(cx.view.getBigUint64(at, true)) : cx.view.getUint32(at, true);
}

export function storePointer(cx: AbiContext, at: number, ptr: number): void {
  if (cx.is64) cx.view.setBigUint64(at, BigInt(ptr), true);
  else cx.view.setUint32(at, ptr, true);
}
