// What a caller is told who wants more than a limit allows: which limit, and when to come back. Over HTTP also as
// `Retry-After` and the RateLimit fields of the IETF draft; on pipes the error's data says the same.

import { Refusal } from '../../core/refusal.ts';
import type { BucketOptions } from '../options.ts';

export function rateRefusal(limit: string, waitMs: number, { rate, burst }: BucketOptions): Refusal {
  const seconds = Math.max(1, Math.ceil(waitMs / 1_000));
  const window = Math.max(1, Math.ceil(burst / rate));
  return new Refusal(
    'rate-limited',
    { limit, seconds },
    {
      'Retry-After': `${seconds}`,
      'RateLimit-Policy': `"${limit}";q=${Math.floor(burst)};w=${Number.isFinite(window) ? window : seconds}`,
      RateLimit: `"${limit}";r=0;t=${seconds}`,
    },
    { limit, retryAfterMs: waitMs },
  );
}

/** Nobody knows when a call ends: a second is short enough to be worth a try. */
const TRY_AGAIN_MS = 1_000;

export function callsRefusal(limit: string, most: number): Refusal {
  return new Refusal(
    'too-many-calls',
    { limit, most },
    { 'Retry-After': '1' },
    { limit, most, retryAfterMs: TRY_AGAIN_MS },
  );
}

export function quotaRefusal(limit: string, most: number, waitMs: number): Refusal {
  const seconds = Math.max(1, Math.ceil(waitMs / 1_000));
  return new Refusal(
    'quota-exceeded',
    { limit, seconds },
    {
      'Retry-After': `${seconds}`,
      'RateLimit-Policy': `"${limit}";q=${most};w=86400;qu="content-bytes"`,
      RateLimit: `"${limit}";r=0;t=${seconds}`,
    },
    { limit, retryAfterMs: waitMs },
  );
}
