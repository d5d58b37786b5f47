// All that a server tells those who watch it, put together: figures, traces, whether it is ready. What is not asked for
// is not loaded.

import type { AuditState } from '../audit/audit.ts';
import type { Logger } from '../core/log.ts';
import { createMetrics, type Metrics } from '../telemetry/metrics.ts';
import { asksForTraces } from '../telemetry/otlp/environment.ts';
import type { TraceExport } from '../telemetry/otlp/tracer.ts';
import { NO_TRACER, type Tracer } from '../telemetry/ports.ts';
import { watchProcess } from '../telemetry/process-metrics.ts';
import { createReadiness } from '../telemetry/readiness.ts';
import { watchAudit, watchCells, watchSpans, watchTransports } from '../telemetry/server-metrics.ts';
import type { HttpTransport } from '../transport/http/http.ts';
import type { Page } from '../transport/http/page.ts';
import type { Broker } from './broker.ts';
import type { Io } from './command.ts';
import { type MetricsPageOptions, metricsPage, readyPage } from './watch-pages.ts';

export interface Watching {
  readonly metrics: Metrics;
  readonly tracer: Tracer;
  readonly pages: ReadonlyMap<string, Page>;
  /** Each of these once, when the part is there. */
  broker(broker: Pick<Broker, 'cells' | 'store' | 'ready'>): void;
  transports(http: Pick<HttpTransport, 'state'>): void;
  /** `blocks`: whether calls stop while nothing can be written. */
  audit(read: () => AuditState, blocks: () => boolean): void;
  /** From now on the server is not ready. */
  stopping(): void;
  /** Sends what spans are left. */
  close(): Promise<void>;
}

/** `page` is asked anew for each reading: the configuration may have changed. */
export async function createWatching(
  page: () => MetricsPageOptions,
  { env, version }: Pick<Io, 'env' | 'version'>,
  log: Logger,
): Promise<Watching> {
  const metrics = createMetrics();
  const readiness = createReadiness();
  const traces = await openTraces(env, version, log);
  let stopping = false;
  watchProcess(metrics, { version, now: () => new Date() });
  if (traces !== null) watchSpans(metrics, () => traces.figures);
  readiness.add('server', () => (stopping ? 'shutting down' : null));
  return {
    metrics,
    tracer: traces ?? NO_TRACER,
    pages: new Map([
      ['/ready', readyPage(readiness)],
      ['/metrics', metricsPage(metrics, page)],
    ]),
    broker({ cells, store, ready }) {
      let components: string | null = 'still loading';
      ready.then(
        () => {
          components = null;
        },
        () => {
          components = 'could not be loaded';
        },
      );
      readiness.add('components', () => components);
      readiness.add('store', () => readable(() => store.list()));
      watchCells(metrics, () => cells.state());
    },
    transports(http) {
      watchTransports(metrics, () => http.state());
    },
    audit(read, blocks) {
      readiness.add('audit', () => (read().ok ? null : 'lines cannot be written'), blocks);
      watchAudit(metrics, read);
    },
    stopping() {
      stopping = true;
    },
    async close() {
      await traces?.close();
    },
  };
}

async function openTraces(env: Io['env'], version: string, log: Logger): Promise<TraceExport | null> {
  if (!asksForTraces(env)) return null;
  const { createTracer } = await import('../telemetry/otlp/tracer.ts');
  return createTracer(env, { version, log });
}

function readable(read: () => unknown): string | null {
  try {
    read();
    return null;
  } catch {
    return 'the data directory cannot be read';
  }
}
