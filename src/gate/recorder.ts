// One call through the gate, told to those who keep books: an audit line, a sample for the metrics, a span. A line about
// something that may have changed the world is in the file before its answer leaves; for the rest nobody waits.

import type { AuditSink } from '../audit/entry.ts';
import type { CallContext, ComponentRun, Owner } from '../catalog/catalog.ts';
import { type ErrorCode, WitboxError } from '../core/errors.ts';
import type { Json } from '../core/json.ts';
import { Refusal } from '../core/refusal.ts';
import type { Meter, Span, Tracer } from '../telemetry/ports.ts';

export interface Attempt {
  readonly method: string;
  readonly target: string;
  readonly owner: Owner | undefined;
  readonly arguments?: Json;
  /** It cannot have changed anything. */
  readonly reads: boolean;
}

export interface Recorder {
  /** Throws `audit-unwritable` if nothing may be done that cannot be written down. */
  begin(attempt: Attempt, context: CallContext): Recording;
  /** Something was refused before it began. */
  refused(attempt: Attempt, context: CallContext, error: ErrorCode): void;
}

export interface Recording {
  /** The same context, with what components do during the call noted down. */
  readonly context: CallContext;
  /** Waits as long as the line has to be waited for. */
  end(outcome: string, result: Json | undefined): Promise<void> | undefined;
  /** `forbidden`: it failed like something unknown because the caller may not use it. */
  failed(error: unknown, forbidden?: boolean): Promise<void> | undefined;
}

export interface RecorderDeps {
  readonly audit: AuditSink | null;
  readonly meter: Meter;
  readonly tracer: Tracer;
  /** Monotonic, in milliseconds. */
  readonly now: () => number;
}

const NONE: readonly string[] = [];
const MOST_TARGET = 1_024;

export function createRecorder({ audit, meter, tracer, now }: RecorderDeps): Recorder {
  function line(
    attempt: Attempt,
    context: CallContext,
    told: { kind: 'call' | 'decision'; outcome: string; error?: string; milliseconds: number; result?: Json },
    runs: readonly ComponentRun[],
  ): Promise<void> | undefined {
    if (audit === null) return undefined;
    const { caller, client, session, transport } = context;
    const { durable } = audit.record({
      kind: told.kind,
      action: attempt.method,
      caller: caller.id,
      address: caller.address,
      session,
      client: client.info === null ? null : `${client.info.name} ${client.info.version}`.slice(0, 128),
      revision: client.revision,
      transport,
      component: attempt.owner?.component ?? null,
      digest: runs.at(-1)?.digest ?? attempt.owner?.digest ?? null,
      target: attempt.target.slice(0, MOST_TARGET),
      outcome: told.outcome,
      ...(told.error === undefined ? {} : { error: told.error }),
      milliseconds: told.milliseconds,
      granted: runs.length === 0 ? NONE : [...new Set(runs.flatMap(({ granted }) => granted))],
      denied:
        runs.length === 0
          ? NONE
          : [...new Set(runs.flatMap(({ denied }) => denied.map(({ permission }) => permission)))],
      ...(attempt.arguments === undefined ? {} : { arguments: attempt.arguments }),
      ...(told.result === undefined ? {} : { result: told.result }),
    });
    // That it only reads is a component's own word: it counts as long as the component was let out nowhere.
    const isHarmless = attempt.reads && runs.every(({ granted }) => granted.length === 0);
    if (!isHarmless && told.kind === 'call') return durable;
    durable.catch(() => {});
    return undefined;
  }

  return {
    begin(attempt, context) {
      audit?.check();
      const { method, target, owner } = attempt;
      const component = owner?.component ?? '';
      const started = now();
      const span = startSpan(tracer, attempt, context);
      const runs: ComponentRun[] = [];
      const close = (
        outcome: string,
        result: Json | undefined,
        error?: string,
      ): Promise<void> | undefined => {
        const milliseconds = now() - started;
        // Names that nobody has come from callers without end.
        meter.called({
          method,
          tool: owner === undefined ? '' : target,
          component,
          outcome,
          seconds: milliseconds / 1_000,
        });
        const failed = outcome === 'failed' || outcome === 'tool-error' || outcome === 'denied';
        span.set('witbox.outcome', outcome);
        if (failed) span.set('error.type', outcome === 'tool-error' ? 'tool_error' : (error ?? outcome));
        span.end(failed ? 'error' : 'ok', error);
        return line(
          attempt,
          context,
          {
            kind: 'call',
            outcome,
            milliseconds: Math.round(milliseconds * 1_000) / 1_000,
            ...(error === undefined ? {} : { error }),
            ...(result === undefined ? {} : { result }),
          },
          runs,
        );
      };
      const observe = (run: ComponentRun): void => {
        runs.push(run);
        for (const _ of run.denied) meter.denied('permission', run.component);
        context.observe?.(run);
      };
      return {
        context: { ...context, observe },
        end: (outcome, result) => close(outcome, result),
        failed(error, forbidden = false) {
          const { outcome, code, reason } = meaningOf(error, context.signal);
          if (forbidden) meter.denied('forbidden', component);
          else if (reason !== null) meter.denied(reason, component);
          return close(forbidden ? 'denied' : outcome, undefined, code);
        },
      };
    },
    refused(attempt, context, error) {
      // Nobody has that name: nothing was refused, and still somebody asked.
      const outcome = attempt.owner === undefined ? 'failed' : 'denied';
      if (attempt.owner !== undefined) meter.denied('forbidden', attempt.owner.component);
      line(attempt, context, { kind: 'decision', outcome, error, milliseconds: 0 }, []);
    },
  };
}

/** Names as OpenTelemetry's conventions for MCP have them; an address is no part of a span's name, there are too many. */
function startSpan(tracer: Tracer, { method, target, owner }: Attempt, context: CallContext): Span {
  const isNamed = owner !== undefined && method !== 'resources/read';
  const span = tracer.start(isNamed ? `${method} ${target}` : method, context.meta);
  span.set('mcp.method.name', method);
  span.set('mcp.protocol.version', context.client.revision);
  span.set('network.transport', context.transport === 'stdio' ? 'pipe' : 'tcp');
  span.set('witbox.transport', context.transport);
  span.set('enduser.id', context.caller.id);
  if (owner === undefined) return span;
  span.set('witbox.component', owner.component);
  if (method === 'tools/call') {
    span.set('gen_ai.operation.name', 'execute_tool');
    span.set('gen_ai.tool.name', target);
  } else if (method === 'prompts/get') span.set('gen_ai.prompt.name', target);
  // What stands behind the path may be a secret.
  else span.set('mcp.resource.uri', target.replace(/[?#].*$/s, ''));
  return span;
}

function meaningOf(error: unknown, signal: AbortSignal) {
  if (error instanceof Refusal) {
    if (error.code === 'unauthenticated')
      return { outcome: 'unauthenticated', code: error.code, reason: 'unauthenticated' };
    const reason =
      error.code === 'rate-limited' ? 'rate' : error.data?.limit === 'limits.queue' ? 'queue' : 'concurrent';
    return { outcome: 'limited', code: error.code, reason };
  }
  const code = error instanceof WitboxError ? error.code : 'internal';
  if (signal.aborted) return { outcome: 'cancelled', code, reason: null };
  return { outcome: code === 'permission-denied' ? 'denied' : 'failed', code, reason: null };
}
