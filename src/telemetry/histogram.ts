// How long things took, counted in buckets. Buckets are cumulative only when they are written, so that counting one
// more is one addition.

import { type Labels, sampleLine } from './exposition.ts';

export interface Histogram {
  readonly count: number;
  observe(value: number): void;
  lines(name: string, labels: Labels): string[];
}

/** Upper bounds in seconds: a trivial call takes a tenth of a millisecond, the longest ones a minute. */
const BOUNDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

export function createHistogram(): Histogram {
  const buckets = BOUNDS.map(() => 0);
  let count = 0;
  let sum = 0;
  return {
    get count() {
      return count;
    },
    observe(value) {
      count += 1;
      sum += value;
      const at = BOUNDS.findIndex((bound) => value <= bound);
      if (at >= 0) buckets[at]! += 1;
    },
    lines(name, labels) {
      let below = 0;
      return [
        ...BOUNDS.map((bound, at) => {
          below += buckets[at]!;
          return sampleLine(`${name}_bucket`, { ...labels, le: `${bound}` }, below);
        }),
        sampleLine(`${name}_bucket`, { ...labels, le: '+Inf' }, count),
        sampleLine(`${name}_sum`, labels, sum),
        sampleLine(`${name}_count`, labels, count),
      ];
    },
  };
}
