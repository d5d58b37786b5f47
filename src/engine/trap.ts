// A trap: the guest broke a rule of WebAssembly or of the canonical ABI, or a host function it called threw. The
// component instances that were running are poisoned by it: nothing enters them again.
// While a trap crosses guest frames it travels as an error that V8 made itself, since a guest could catch any error
// made in JavaScript with `catch_all` and go on as if nothing had happened.

export type TrapKind =
  | 'unreachable'
  | 'memory'
  | 'table'
  | 'arithmetic'
  | 'stack'
  | 'exception'
  | 'abi'
  | 'handle'
  | 'reentrance'
  | 'host'
  | 'core';

export class Trap extends Error {
  override readonly name = 'Trap';
  readonly kind: TrapKind;

  constructor(kind: TrapKind, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.kind = kind;
  }
}

/** `(module (func (export "f") unreachable))`: the only source of errors that guests cannot catch. */
const UNREACHABLE = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 7, 5, 1, 1, 102, 0, 0, 10, 5, 1, 3, 0, 0, 11,
]);
const { f: unreachable } = new WebAssembly.Instance(new WebAssembly.Module(UNREACHABLE)).exports as {
  f: () => void;
};

const CARRIED = Symbol('trap');

/** Wraps a trap so that no guest frame between here and the host can catch it. */
function uncatchable(trap: Trap): Error {
  try {
    unreachable();
  } catch (error) {
    return Object.assign(error as Error, { [CARRIED]: trap });
  }
  return trap;
}

/** Traps the guest that is running. */
export function raise(kind: TrapKind, message: string, cause?: unknown): never {
  throw uncatchable(new Trap(kind, message, cause));
}

/** What an error becomes where it leaves one component for another: exceptions of the guest end there. */
export function crossing(error: unknown): unknown {
  if (error instanceof WebAssembly.Exception) {
    return uncatchable(new Trap('exception', 'uncaught exception propagated out of component', error));
  }
  return error;
}

/** What an error thrown by a host function becomes before it enters the guest. */
export function fromHost(error: unknown): unknown {
  if (typeof error === 'object' && error !== null && CARRIED in error) return error;
  if (error instanceof Trap) return uncatchable(error);
  const message = error instanceof Error ? error.message : String(error);
  return uncatchable(new Trap('host', `the host function failed: ${message}`, error));
}

const CORE_KINDS: readonly (readonly [RegExp, TrapKind])[] = [
  [/unreachable/, 'unreachable'],
  [/memory access|data segment|could not allocate/, 'memory'],
  [/table|function signature|null function/, 'table'],
  [/divide|remainder|float unrepresentable/, 'arithmetic'],
];

/** What an error becomes where it reaches the host: a Trap, or itself if it is none of the guest's doing. */
export function toTrap(error: unknown): unknown {
  if (typeof error === 'object' && error !== null && CARRIED in error) return error[CARRIED];
  if (error instanceof WebAssembly.RuntimeError) {
    const kind = CORE_KINDS.find(([pattern]) => pattern.test(error.message))?.[1] ?? 'core';
    return new Trap(kind, `wasm trap: ${error.message}`, error);
  }
  if (error instanceof RangeError && error.message.includes('call stack')) {
    return new Trap('stack', 'call stack exhausted', error);
  }
  if (error instanceof WebAssembly.Exception) {
    return new Trap('exception', 'uncaught exception propagated out of component', error);
  }
  return error;
}
