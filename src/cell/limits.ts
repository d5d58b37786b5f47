// What one call may use. The defaults hold where neither a policy nor the caller says otherwise.

export interface CallLimits {
  /** From the start in its cell to the answer, waiting for the host included. */
  readonly wallMs: number;
  /** Processor time. Counted where the system tells it (Linux). */
  readonly cpuMs: number;
  /** Linear memory of one instance, all its memories together. */
  readonly memoryBytes: number;
  /** The result as JSON text. */
  readonly outputBytes: number;
}

export const DEFAULT_CALL_LIMITS: CallLimits = {
  wallMs: 30_000,
  cpuMs: 30_000,
  memoryBytes: 128 << 20,
  outputBytes: 1 << 20,
};

/** What a cell may ask of the broker, whatever is loaded in it. */
export interface WireLimits {
  /** Payload of one frame from a cell; a call that may give a larger result may send a larger frame. */
  readonly frameBytes: number;
  /** Requests of one call that wait for an answer. */
  readonly requests: number;
  /** Requests and posts of one cell being handled: beyond these nothing more is read from it. */
  readonly busyMessages: number;
  readonly busyBytes: number;
}

export const WIRE_LIMITS: WireLimits = {
  frameBytes: 8 << 20,
  requests: 256,
  busyMessages: 512,
  busyBytes: 16 << 20,
};
