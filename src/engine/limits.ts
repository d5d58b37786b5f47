// How much a component may ask for, from its bytes to its running instances. Callers override single values.

import { DEFAULT_DECODE_LIMITS, type DecodeLimits } from './decode/limits.ts';
import { DEFAULT_LIMITS, type ValidationLimits } from './validate/limits.ts';

/** Names that decoding and validating share (`depth`, `instances`) hold for both. */
export interface Limits extends DecodeLimits, ValidationLimits {
  /** Bytes of one core module. */
  readonly moduleBytes: number;
  /** What the memories that one core module defines may grow to, together. */
  readonly memoryBytes: number;
  /** What the tables that one core module defines may grow to, together. */
  readonly tableElements: number;
  /** Instances that one instantiation makes, core ones and nested ones included. */
  readonly totalInstances: number;
}

const DEFAULTS: Limits = Object.freeze({
  ...DEFAULT_LIMITS,
  ...DEFAULT_DECODE_LIMITS,
  moduleBytes: 1 << 28,
  memoryBytes: 2 ** 34,
  tableElements: 10_000_000,
  totalInstances: 10_000,
});

export function completeLimits(limits: Partial<Limits> = {}): Limits {
  return { ...DEFAULTS, ...limits };
}
