// Traces by OpenTelemetry's standard environment variables. A span is a child of what `_meta` names, or begins a trace.
// Nothing that the caller says makes it longer than its bounds, and no secret that is known leaves in it.

import { randomBytes } from 'node:crypto';
import type { Logger } from '../../core/log.ts';
import { createRedactor, type Redactor } from '../../core/redact.ts';
import { NO_TRACER, type Span, type Tracer } from '../ports.ts';
import { type Batches, createBatches } from './batches.ts';
import type { AttributeValue } from './encode.ts';
import { type Environment, readTraceSettings } from './environment.ts';
import { createSampler } from './sampler.ts';
import { type TraceContext, traceContextOf } from './trace-context.ts';

export interface TraceExport extends Tracer {
  readonly figures: { readonly exported: number; readonly dropped: number };
  flush(): Promise<void>;
  close(): Promise<void>;
}

export interface TracerDeps {
  readonly version: string;
  readonly log: Logger;
  /** Knows the secrets of this process; without it only what looks like one is taken out. */
  readonly redactor?: Pick<Redactor, 'head'>;
  /** Milliseconds since 1970, with fractions. */
  readonly now?: () => number;
  /** Before the second attempt; doubled for each further one. */
  readonly retryMs?: number;
}

/** For those who have no traces to send. */
export const NO_TRACES: TraceExport = {
  ...NO_TRACER,
  figures: { exported: 0, dropped: 0 },
  async flush() {},
  async close() {},
};

const MOST_ATTRIBUTES = 128;
const MOST_TEXT = 1_024;
const MOST_NAME = 256;

export function createTracer(env: Environment, deps: TracerDeps): TraceExport {
  const log = deps.log.area('telemetry');
  const { settings, warnings } = readTraceSettings(env, deps.version);
  for (const warning of warnings) log.warn('traces', { warning });
  if (settings === null) return NO_TRACES;
  const batches = createBatches(settings, { ...deps, log });
  const sampled = createSampler(settings.sampler, settings.ratio);
  const now = deps.now ?? (() => performance.timeOrigin + performance.now());
  const redactor = deps.redactor ?? createRedactor();
  // More than is kept is looked at, so that no half of a secret stays at the end.
  const cut: Cut = (text, most) => redactor.head(text.slice(0, 4 * most), most).toWellFormed();
  log.info('traces are sent', { to: settings.endpoint.host, sampler: settings.sampler });
  return {
    get figures() {
      return batches.figures;
    },
    flush: batches.flush,
    close: batches.close,
    start(name, meta) {
      const parent = traceContextOf(meta);
      const traceId = parent?.traceId ?? randomBytes(16).toString('hex');
      return sampled(traceId, parent)
        ? createSpan(name, traceId, parent, now, cut, batches)
        : NO_TRACER.start(name, meta);
    },
  };
}

type Cut = (text: string, most: number) => string;

function createSpan(
  name: string,
  traceId: string,
  parent: TraceContext | null,
  now: () => number,
  cut: Cut,
  batches: Batches,
): Span {
  const startedAt = now();
  const attributes = new Map<string, AttributeValue>();
  let droppedAttributes = 0;
  let ended = false;
  return {
    set(key, value) {
      if (attributes.size >= MOST_ATTRIBUTES && !attributes.has(key)) droppedAttributes += 1;
      else attributes.set(key, typeof value === 'string' ? cut(value, MOST_TEXT) : value);
    },
    end(outcome, message = '') {
      if (ended) return;
      ended = true;
      batches.add({
        traceId,
        spanId: randomBytes(8).toString('hex'),
        parentSpanId: parent?.spanId ?? '',
        traceState: parent?.state ?? '',
        name: cut(name, MOST_NAME),
        startedAt,
        endedAt: now(),
        attributes,
        droppedAttributes,
        error: outcome === 'error' ? cut(message, MOST_TEXT) : null,
      });
    },
  };
}
