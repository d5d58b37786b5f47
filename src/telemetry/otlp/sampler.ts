// Which traces are recorded, by the names that OTEL_TRACES_SAMPLER has. A ratio is taken of the trace id, so that every
// service that sees a trace decides alike.

import type { TraceContext } from './trace-context.ts';

export type Sampler = (traceId: string, parent: TraceContext | null) => boolean;

const ROOTS = ['always_on', 'always_off', 'traceidratio'] as const;
const SAMPLERS: ReadonlySet<string> = new Set(ROOTS.flatMap((root) => [root, `parentbased_${root}`]));

export function isSampler(name: string): boolean {
  return SAMPLERS.has(name);
}

/** `ratio` counts for the samplers that have one. */
export function createSampler(name: string, ratio: number): Sampler {
  const root = rootSampler(name.replace('parentbased_', ''), ratio);
  if (!name.startsWith('parentbased_')) return root;
  return (traceId, parent) => (parent === null ? root(traceId, parent) : parent.sampled);
}

function rootSampler(name: string, ratio: number): Sampler {
  if (name === 'always_off') return () => false;
  if (name === 'always_on') return () => true;
  // The last 56 bits are random in every id, as Trace Context Level 2 asks for.
  const below = BigInt(Math.round(ratio * 2 ** 56));
  return (traceId) => BigInt(`0x${traceId.slice(-14)}`) < below;
}
