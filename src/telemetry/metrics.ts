// All metrics of one process: what the gate tells is counted, everything else is read at the moment somebody asks. The
// page never holds a caller's name, an argument or an address.

import { createBoundedNames } from './bounded-names.ts';
import { createCallMetrics, type NameLimits } from './call-metrics.ts';
import { family, type Sample, sampleLine } from './exposition.ts';
import type { Meter } from './ports.ts';

/** One number, or one for each set of labels. */
type Read = () => number | readonly Sample[];

export interface Metrics extends Meter {
  /** A value that goes up and down, read whenever the page is. */
  gauge(name: string, help: string, read: Read): void;
  /** A value that only grows. */
  counter(name: string, help: string, read: Read): void;
  /** The page in Prometheus' text format. */
  text(): string;
}

export interface MetricsOptions {
  /** How many names are told apart; all further ones are `other`. */
  readonly names?: Partial<NameLimits>;
}

interface Source {
  readonly name: string;
  readonly help: string;
  readonly type: 'gauge' | 'counter';
  readonly read: Read;
}

const NAMES: NameLimits = { components: 100, tools: 500 };

export function createMetrics(options: MetricsOptions = {}): Metrics {
  const names = { ...NAMES, ...options.names };
  const calls = createCallMetrics(names);
  const component = createBoundedNames(names.components);
  const reason = createBoundedNames(32);
  const denials = new Map<string, Map<string, number>>();
  const sources = new Map<string, Source>();
  let waiting = 0;

  const add = (type: Source['type']) => (name: string, help: string, read: Read) => {
    if (sources.has(name)) throw new Error(`Metric "${name}" is there already`);
    sources.set(name, { name, help, type, read });
  };
  const gauge = add('gauge');
  const counter = add('counter');
  gauge('witbox_queue_waiting', 'Calls that wait for their turn', () => waiting);
  counter('witbox_denials_total', 'What was refused, by why', () =>
    [...denials].flatMap(([why, byComponent]) =>
      [...byComponent].map(([id, value]) => ({ labels: { reason: why, component: id }, value })),
    ),
  );

  return {
    called: calls.called,
    denied(why, id) {
      const [row, column] = [reason(why), component(id)];
      const counts = denials.get(row) ?? new Map<string, number>();
      denials.set(row, counts.set(column, (counts.get(column) ?? 0) + 1));
    },
    queued(now) {
      waiting = now;
    },
    gauge,
    counter,
    text: () => calls.text() + [...sources.values()].map(readSource).join(''),
  };
}

/** One source that cannot be read leaves the others readable. */
function readSource({ name, help, type, read }: Source): string {
  try {
    const value = read();
    const samples = typeof value === 'number' ? [{ value }] : value;
    return family(
      name,
      help,
      type,
      samples.map((sample: Sample) => sampleLine(name, sample.labels ?? {}, sample.value)),
    );
  } catch {
    return '';
  }
}
