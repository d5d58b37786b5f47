// One call while it is in a cell: what it may use, what it has used, what it waits for. Settled exactly once; whoever
// settles first decides how the call ended.

import type { HostHandler } from '../core/port.ts';
import type { CallLimits } from './limits.ts';
import type { Denial, End, Outcome } from './outcome.ts';

export type CallHost = HostHandler & { denials?(): readonly Denial[] };

export interface ActiveCall {
  readonly id: number;
  /** Position in the component's list of functions. */
  readonly func: number;
  readonly args: string;
  readonly session: string;
  /** Whose call it is: callers take turns. */
  readonly flow: string;
  turn: number;
  readonly host: CallHost;
  readonly limits: CallLimits;
  /** Requests that the broker has not answered yet: while there are any, the guest waits. */
  readonly requests: Set<number>;
  /** When its cell began with it; 0 while it waits behind others of the same cell. */
  startedAt: number;
  /** It has asked something of the host. */
  asked: boolean;
  cpuMs: number;
  settled: boolean;
  resolve(outcome: Outcome): void;
}

export function isRunning(call: ActiveCall): boolean {
  return call.startedAt !== 0 && call.requests.size === 0;
}

export function settle(call: ActiveCall, end: End): void {
  if (call.settled) return;
  call.settled = true;
  const denials = call.host.denials?.() ?? [];
  const wallMs = call.startedAt === 0 ? 0 : performance.now() - call.startedAt;
  // The answer does not wait for handles to be released, and their failures are not the caller's.
  void call.host.close().catch(() => {});
  call.resolve({ ...end, denials, wallMs });
}
