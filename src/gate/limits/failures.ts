// Failed attempts of an address to prove who it is: how long it has to wait before the next is looked at.

import { addressKey } from '../../core/address-key.ts';
import type { BucketOptions } from '../options.ts';
import { type Buckets, createBuckets } from './bucket.ts';

export interface Failures {
  take(address: string): number;
  set(options: BucketOptions | null): void;
}

export function createFailures(initial: BucketOptions | null): Failures {
  const now = (): number => performance.now();
  let buckets: Buckets | null = initial && createBuckets(initial, now);
  return {
    take: (address) => buckets?.take(addressKey(address)) ?? 0,
    set(options) {
      // Those who wait go on waiting when the figures change.
      if (options === null || buckets === null) buckets = options && createBuckets(options, now);
      else buckets.set(options);
    },
  };
}
