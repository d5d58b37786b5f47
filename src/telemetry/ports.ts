// What the gate tells whoever watches: one finished call, one refusal, and spans. Implemented by the metrics and the
// tracer of this folder.

import type { JsonObject } from '../core/json.ts';

export interface CallSample {
  readonly method: string;
  readonly tool: string;
  readonly component: string;
  readonly outcome: string;
  readonly seconds: number;
}

export interface Meter {
  called(sample: CallSample): void;
  /** `reason`: `unauthenticated`, `forbidden`, `rate`, `concurrent`, `bytes`, `queue`, `arguments`, `permission`. */
  denied(reason: string, component: string): void;
  /** Calls that wait for their turn, now. */
  queued(waiting: number): void;
}

export interface Span {
  set(name: string, value: string | number | boolean): void;
  end(outcome: 'ok' | 'error', message?: string): void;
}

export interface Tracer {
  /** `meta` is the request's `_meta`: its `traceparent` makes the span a child. */
  start(name: string, meta: JsonObject): Span;
}

const NO_SPAN: Span = { set() {}, end() {} };

export const NO_METER: Meter = { called() {}, denied() {}, queued() {} };
export const NO_TRACER: Tracer = { start: () => NO_SPAN };
