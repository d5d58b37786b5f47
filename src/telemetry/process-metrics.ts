// What every watched process says about itself, under the names that Prometheus' own clients use, so that existing
// dashboards find them.

import { readdirSync } from 'node:fs';
import type { Metrics } from './metrics.ts';

export interface ProcessFacts {
  readonly version: string;
  readonly now: () => Date;
}

export function watchProcess(metrics: Metrics, { version, now }: ProcessFacts): void {
  const startedAt = now().getTime() / 1_000 - process.uptime();
  metrics.gauge('witbox_build_info', 'What runs here, as labels', () => [
    { labels: { version, node: process.versions.node }, value: 1 },
  ]);
  metrics.gauge('process_start_time_seconds', 'When the process began, since 1970', () => startedAt);
  metrics.counter('process_cpu_seconds_total', 'Processor time of the broker', () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  });
  metrics.gauge('process_resident_memory_bytes', 'Resident memory of the broker', () =>
    process.memoryUsage.rss(),
  );
  metrics.gauge(
    'nodejs_heap_size_used_bytes',
    'Objects of the broker, and what waits to be collected',
    () => process.memoryUsage().heapUsed,
  );
  metrics.gauge(
    'nodejs_external_memory_bytes',
    'Buffers of the broker',
    () => process.memoryUsage().external,
  );
  if (process.platform === 'linux') {
    metrics.gauge('process_open_fds', 'Open files and sockets of the broker', openDescriptors);
  }
}

/** Reading the folder opens one more, which is not counted. */
function openDescriptors(): number {
  return readdirSync('/proc/self/fd').length - 1;
}
