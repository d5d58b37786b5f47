// The one way out of a cell, as both sides see it. In the cell, wasi/ asks a Port; in the broker, host/ answers as a
// HostHandler. Between them cell/ carries the bytes. Nothing else crosses: no functions, no shared memory.

/** What can cross: plain data, encoded by `core/wire-value.ts`. Bulk bytes stay bytes. */
export type WireValue =
  | null
  | boolean
  | number
  | bigint
  | string
  | Uint8Array
  | readonly WireValue[]
  | { readonly [key: string]: WireValue };

export interface Port {
  /** Grows when an instance goes on to serve another call: handles of one call mean nothing in the next. */
  readonly generation?: number;
  /** What `begin` would answer, where it came along with the call. */
  readonly beginning?: WireValue;
  /** Asks the broker and waits; the guest is suspended meanwhile (JSPI). Rejects with a HostFailure. */
  request(op: string, args: readonly WireValue[]): Promise<WireValue>;
  /** Tells the broker, without an answer: output, logs, dropped handles. Ordered with requests. */
  post(op: string, args: readonly WireValue[]): void;
}

/** The broker's side of one call's port: every handle opened through it is released by `close()`. */
export interface HostHandler {
  handle(op: string, args: readonly WireValue[]): Promise<WireValue>;
  /** What the operation `begin` answers, at once: sent along with a call that is likely to ask. Never throws. */
  begin?(): WireValue;
  close(): Promise<void>;
}

/**
 * A refusal or failure that the guest gets as the error of its WASI interface. `code` is the WASI name
 * (`access`, `no-entry`, `HTTP-request-denied`, …). Never carries a host path or a stack.
 */
export class HostFailure extends Error {
  override readonly name = 'HostFailure';
  readonly code: string;
  readonly detail: WireValue;

  constructor(code: string, detail: WireValue = null) {
    super(code);
    this.code = code;
    this.detail = detail;
  }
}
