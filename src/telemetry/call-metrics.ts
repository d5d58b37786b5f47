// Calls by method, component, tool and outcome. A call costs a few map lookups here and no string is made. Only a tool
// that has an owner gets a series of its own: names that a caller made up do not.

import { createBoundedNames } from './bounded-names.ts';
import { family, sampleLine } from './exposition.ts';
import { createHistogram, type Histogram } from './histogram.ts';
import type { CallSample } from './ports.ts';

export interface CallMetrics {
  called(sample: CallSample): void;
  text(): string;
}

export interface NameLimits {
  readonly components: number;
  readonly tools: number;
}

interface Series {
  readonly labels: Readonly<Record<'method' | 'component' | 'tool' | 'outcome', string>>;
  readonly durations: Histogram;
}

type Tree<T> = Map<string, T>;

/** Methods and outcomes are ours and few; the bound is for the day when somebody forgets that. */
const MOST_WORDS = 32;

export function createCallMetrics(limits: NameLimits): CallMetrics {
  const tree: Tree<Tree<Tree<Tree<Series>>>> = new Map();
  const all: Series[] = [];
  const method = createBoundedNames(MOST_WORDS);
  const outcome = createBoundedNames(MOST_WORDS);
  const component = createBoundedNames(limits.components);
  const tool = createBoundedNames(limits.tools);

  const seriesOf = (sample: CallSample): Series => {
    const labels = {
      method: method(sample.method),
      component: component(sample.component),
      // Addresses of resources are without end, and may hold secrets.
      tool: sample.component === '' || sample.method === 'resources/read' ? '' : tool(sample.tool),
      outcome: outcome(sample.outcome),
    };
    const tools = branch(branch(tree, labels.method), labels.component);
    const outcomes: Tree<Series> = branch(tools, labels.tool);
    let series = outcomes.get(labels.outcome);
    if (series === undefined) {
      series = { labels, durations: createHistogram() };
      outcomes.set(labels.outcome, series);
      all.push(series);
    }
    return series;
  };

  return {
    called(sample) {
      seriesOf(sample).durations.observe(sample.seconds);
    },
    text() {
      const name = 'witbox_call_duration_seconds';
      const totals = all.map(({ labels, durations }) =>
        sampleLine('witbox_calls_total', labels, durations.count),
      );
      const durations = all.flatMap((series) => series.durations.lines(name, series.labels));
      return (
        family('witbox_calls_total', 'Calls that ended, by how they ended', 'counter', totals) +
        family(name, 'How long calls took, waiting for their turn included', 'histogram', durations)
      );
    },
  };
}

function branch<T>(tree: Tree<Tree<T>>, key: string): Tree<T> {
  let found = tree.get(key);
  if (found === undefined) {
    found = new Map();
    tree.set(key, found);
  }
  return found;
}
