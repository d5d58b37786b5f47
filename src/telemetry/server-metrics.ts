// What the parts of a server say about themselves when the page is read: cells, transports, the audit log, exported
// spans. Each part is seen only as the few numbers it tells.

import { createBoundedNames } from './bounded-names.ts';
import type { Sample } from './exposition.ts';
import type { Metrics } from './metrics.ts';

interface CellGroup {
  readonly cells: number;
  readonly residentBytes: number;
}

interface ComponentGroup extends CellGroup {
  readonly component: string;
  readonly calls: number;
  readonly waiting: number;
}

export interface CellFigures {
  readonly warm: CellGroup;
  readonly components: readonly ComponentGroup[];
  readonly started: number;
  readonly ended: ReadonlyMap<string, number>;
}

export function watchCells(metrics: Metrics, read: () => CellFigures): void {
  const name = createBoundedNames(100);
  /** A component may be there twice while one gives way to the other. */
  const each = (value: (group: ComponentGroup) => number): Sample[] => {
    const sums = new Map<string, number>();
    for (const group of read().components) {
      const component = name(group.component);
      sums.set(component, (sums.get(component) ?? 0) + value(group));
    }
    return [...sums].map(([component, sum]) => ({ labels: { component }, value: sum }));
  };
  metrics.gauge('witbox_cells', 'Cells that hold a component', () => each(({ cells }) => cells));
  metrics.gauge('witbox_cells_warm', 'Empty cells that wait ready', () => read().warm.cells);
  metrics.counter('witbox_cells_started_total', 'Cells that were started', () => read().started);
  metrics.counter('witbox_cells_ended_total', 'Cells that ended, by why', () =>
    [...read().ended].map(([reason, value]) => ({ labels: { reason }, value })),
  );
  metrics.gauge('witbox_cell_calls', 'Calls that are in cells', () => each(({ calls }) => calls));
  metrics.gauge('witbox_cell_waiting', 'Calls that wait for a cell', () => each(({ waiting }) => waiting));
  metrics.gauge('witbox_cell_resident_bytes', 'Resident memory of cells', () => [
    ...each(({ residentBytes }) => residentBytes),
    { labels: { component: '' }, value: read().warm.residentBytes },
  ]);
}

export interface TransportFigures {
  readonly connections: number;
  readonly sessions: Readonly<Record<string, number>>;
  readonly inFlight: Readonly<Record<string, number>>;
}

export function watchTransports(metrics: Metrics, read: () => TransportFigures): void {
  const byTransport = (values: Readonly<Record<string, number>>): Sample[] =>
    Object.entries(values).map(([transport, value]) => ({ labels: { transport }, value }));
  metrics.gauge('witbox_connections', 'Open connections', () => read().connections);
  metrics.gauge('witbox_sessions', 'Open sessions, by transport', () => byTransport(read().sessions));
  metrics.gauge('witbox_requests_in_flight', 'Requests that wait for their answer', () =>
    byTransport(read().inFlight),
  );
}

export interface AuditFigures {
  readonly ok: boolean;
  readonly lines: number;
  readonly lost: number;
}

export function watchAudit(metrics: Metrics, read: () => AuditFigures): void {
  metrics.gauge('witbox_audit_ok', '1 while lines can be written', () => Number(read().ok));
  metrics.counter('witbox_audit_lines_total', 'Lines written', () => read().lines);
  metrics.counter('witbox_audit_lost_total', 'Lines that could not be written or kept', () => read().lost);
}

export interface SpanFigures {
  readonly exported: number;
  readonly dropped: number;
}

export function watchSpans(metrics: Metrics, read: () => SpanFigures): void {
  metrics.counter('witbox_spans_exported_total', 'Spans that a collector took', () => read().exported);
  metrics.counter('witbox_spans_dropped_total', 'Spans that were given up', () => read().dropped);
}
