// The limits of calls that run: how often and how many at once of a tool, how many at once of a caller and in all. Only
// what is refused costs more than counting; who may go ahead at once does not wait for a turn of the event loop.

import { compileNameGlob, type NameGlob } from '../access/name-glob.ts';
import type { LimitOptions, ToolLimits } from '../options.ts';
import { type Buckets, createBuckets } from './bucket.ts';
import { createFairQueue, type QueueOptions } from './fair-queue.ts';
import { callsRefusal, rateRefusal } from './refusals.ts';

/** A limit of tools with what it has counted. */
export interface ToolLimit {
  readonly options: ToolLimits;
  readonly matches: NameGlob;
  readonly buckets: Buckets | null;
  readonly running: Map<string, number>;
}

export interface CallLimits {
  /** Changes whenever `forTool` may answer something else. */
  readonly generation: number;
  /** The limits of a tool that has these names. */
  forTool(names: readonly string[]): readonly ToolLimit[];
  /**
   * Null: go ahead; a promise: when it settles. Throws a Refusal, and rejects if the signal aborts first. Whoever went
   * ahead must `leave` once with the same.
   */
  enter(flow: string, tools: readonly ToolLimit[], signal: AbortSignal): Promise<void> | null;
  leave(flow: string, tools: readonly ToolLimit[]): void;
  set(options: LimitOptions): void;
}

export interface CallLimitDeps {
  /** Monotonic, in milliseconds. */
  readonly now?: () => number;
  readonly onWaiting?: (waiting: number) => void;
}

export function createCallLimits(options: LimitOptions, deps: CallLimitDeps = {}): CallLimits {
  const now = deps.now ?? (() => performance.now());
  const queue = createFairQueue(queueOptions(options), deps.onWaiting ?? (() => {}));
  let generation = 0;
  let limits = options.tools.map((one) => compile(one, now));

  const start = (flow: string, tools: readonly ToolLimit[]): void => {
    for (const limit of tools) limit.running.set(keyOf(limit, flow), atOnce(limit, flow) + 1);
  };
  const end = (flow: string, tools: readonly ToolLimit[]): void => {
    for (const limit of tools) {
      const left = atOnce(limit, flow) - 1;
      if (left > 0) limit.running.set(keyOf(limit, flow), left);
      else limit.running.delete(keyOf(limit, flow));
    }
  };

  return {
    get generation() {
      return generation;
    },
    forTool: (names) => limits.filter(({ matches }) => names.some(matches)),
    enter(flow, tools, signal) {
      if (tools.length === 0) return queue.enter(flow, signal);
      for (const limit of tools) check(limit, flow);
      start(flow, tools);
      const undo = (error: unknown): never => {
        end(flow, tools);
        throw error;
      };
      try {
        return queue.enter(flow, signal)?.catch(undo) ?? null;
      } catch (error) {
        return undo(error);
      }
    },
    leave(flow, tools) {
      if (tools.length > 0) end(flow, tools);
      queue.leave(flow);
    },
    set(next) {
      // Compiled first: what cannot be used changes nothing.
      const compiled = next.tools.map((one) => compile(one, now));
      queue.set(queueOptions(next));
      limits = compiled;
      generation++;
    },
  };
}

function check(limit: ToolLimit, flow: string): void {
  const { calls, concurrent } = limit.options;
  if (concurrent !== null && atOnce(limit, flow) >= concurrent) {
    throw callsRefusal('limits.tools.concurrent', concurrent);
  }
  const wait = limit.buckets?.take(keyOf(limit, flow)) ?? 0;
  if (calls !== null && wait > 0) throw rateRefusal('limits.tools.calls', wait, calls);
}

const keyOf = ({ options }: ToolLimit, flow: string): string => (options.per === 'caller' ? flow : '');
const atOnce = (limit: ToolLimit, flow: string): number => limit.running.get(keyOf(limit, flow)) ?? 0;

function compile(options: ToolLimits, now: () => number): ToolLimit {
  const buckets = options.calls === null ? null : createBuckets(options.calls, now);
  return { options, matches: compileNameGlob(options.tool), buckets, running: new Map() };
}

function queueOptions({ concurrent, caller, queue }: LimitOptions): QueueOptions {
  return { concurrent, perFlow: caller.concurrent, waiting: queue };
}
