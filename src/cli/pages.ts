// /ready and /metrics of a server: what its parts say about themselves.

import { WitboxError } from '../core/errors.ts';
import { createReadiness } from '../telemetry/readiness.ts';
import type { Page } from '../transport/http/page.ts';
import type { Broker } from './broker.ts';
import type { Gate } from './gate.ts';
import { metricsPage, readyPage } from './watch-pages.ts';

export function pagesOf(gate: Gate | null, broker: Broker, stop: AbortSignal): ReadonlyMap<string, Page> {
  const readiness = createReadiness();
  readiness.add('server', () => (stop.aborted ? 'shutting down' : null));
  let components: string | null = 'still loading';
  broker.ready.then(
    () => {
      components = null;
    },
    () => {
      components = 'could not be loaded';
    },
  );
  readiness.add('components', () => components);
  readiness.add('store', () => readable(() => broker.store.list()));
  const pages = new Map<string, Page>([['/ready', readyPage(readiness)]]);
  if (gate === null) return pages;
  readiness.add(
    'audit',
    () => (gate.audit.state().ok ? null : 'lines cannot be written'),
    () => gate.config().audit.onFailure === 'stop',
  );
  const figures = metricsPage(gate.metrics, () => ({
    address: gate.config().metrics.address,
    mayRead: (caller) => gate.mayManage(caller, 'metrics'),
  }));
  pages.set('/metrics', (request, identify) => {
    if (!gate.config().metrics.enabled) throw new WitboxError('http-not-found', { path: '/metrics' });
    return figures(request, identify);
  });
  return pages;
}

function readable(read: () => unknown): string | null {
  try {
    read();
    return null;
  } catch {
    return 'the data directory cannot be read';
  }
}
