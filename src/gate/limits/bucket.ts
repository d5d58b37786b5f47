// Token buckets by key: `rate` tokens come back per second, at most `burst` are kept. Memory is bounded however many
// keys there are: those not seen for longest are forgotten, which gives them a full bucket again. Whoever has that many
// keys has that many buckets anyway, so forgetting gives nothing away. The clock may stand still or go back: then
// nothing comes back, and nothing is taken twice.

import type { BucketOptions } from '../options.ts';

export interface Buckets {
  /** Milliseconds to wait before `cost` tokens are there; 0: they were, and are taken. More than `burst` costs `burst`. */
  take(key: string, cost?: number): number;
  /** What is kept from now on; buckets keep what they hold. */
  set(options: BucketOptions): void;
  readonly size: number;
}

interface Bucket {
  tokens: number;
  at: number;
}

const MOST_KEYS = 65_536;
/** Nobody is told to wait for longer. */
const MOST_WAIT_MS = 86_400_000;

export function createBuckets(options: BucketOptions, now: () => number, mostKeys = MOST_KEYS): Buckets {
  const half = Math.max(1, mostKeys >> 1);
  let { rate, burst } = options;
  // Two generations: what was used moves to the younger, and when that is full the older is forgotten as a whole. Costs
  // less than to keep an order among all of them.
  let young = new Map<string, Bucket>();
  let old = new Map<string, Bucket>();

  const find = (key: string, time: number): Bucket => {
    const used = young.get(key);
    if (used !== undefined) return used;
    if (young.size >= half) {
      old = young;
      young = new Map();
    }
    const bucket = old.get(key) ?? { tokens: burst, at: time };
    old.delete(key);
    young.set(key, bucket);
    return bucket;
  };

  return {
    take(key, cost = 1) {
      const time = now();
      const bucket = find(key, time);
      const back = (Math.max(0, time - bucket.at) * rate) / 1_000;
      bucket.tokens = Math.min(burst, bucket.tokens + back);
      bucket.at = time;
      const wanted = Math.min(cost, burst);
      if (bucket.tokens >= wanted) {
        bucket.tokens -= wanted;
        return 0;
      }
      return Math.min(MOST_WAIT_MS, Math.ceil(((wanted - bucket.tokens) * 1_000) / rate) || 1);
    },
    set(next) {
      ({ rate, burst } = next);
    },
    get size() {
      return young.size + old.size;
    },
  };
}
