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
  /** Bytes that the parameters, and the result, of one call may take up once they are outside of guest memory. */
  readonly valueBytes: number;
  /** Instances that one instantiation makes, core ones and nested ones included. */
  readonly totalInstances: number;
}

const DEFAULTS: Limits = Object.freeze({
  ...DEFAULT_LIMITS,
  ...DEFAULT_DECODE_LIMITS,
  moduleBytes: 1 << 28,
  memoryBytes: 2 ** 34,
  tableElements: 10_000_000,
  valueBytes: 2 ** 29,
  totalInstances: 10_000,
});

export function completeLimits(limits: Partial<Limits> = {}): Limits {
  return { ...DEFAULTS, ...limits };
}
