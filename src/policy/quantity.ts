// Sizes (`512Mi`) and durations (`30s`) of limits. A value outside what the sandbox can enforce is refused here, with
// the reason, instead of being rounded to something that can.

export interface Limits {
  /** Linear memory, bytes. */
  readonly memory: number;
  /** Wall time of one call, milliseconds. */
  readonly time: number;
  /** CPU time of one call, milliseconds. */
  readonly cpu: number;
  /** Size of a call's result, bytes. */
  readonly output: number;
}

export type LimitName = keyof Limits;

const KI = 1024;
const MI = 1024 * KI;
const GI = 1024 * MI;
const DAY = 24 * 60 * 60 * 1000;

export const DEFAULT_LIMITS: Limits = { memory: 128 * MI, time: 30_000, cpu: 30_000, output: 8 * MI };

/** What a quantity may be: its units with what they are worth, and its range, each end as a value and as it is written. */
export interface QuantityRange {
  readonly units: Readonly<Record<string, number>>;
  readonly example: string;
  readonly least: readonly [number, string];
  readonly most: readonly [number, string];
}

export const SIZE_UNITS = { '': 1, k: 1e3, M: 1e6, G: 1e9, Ki: KI, Mi: MI, Gi: GI };
export const TIME_UNITS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

const ROWS: Readonly<Record<LimitName, QuantityRange>> = {
  memory: { units: SIZE_UNITS, example: '512Mi', least: [64 * KI, '64Ki'], most: [4 * GI, '4Gi'] },
  time: { units: TIME_UNITS, example: '30s', least: [1, '1ms'], most: [DAY, '24h'] },
  // No `m`: "500m" means half a processor elsewhere, which is a rate and not what is limited here.
  cpu: { units: { ms: 1, s: 1000 }, example: '10s', least: [1, '1ms'], most: [DAY, '86400s'] },
  output: { units: SIZE_UNITS, example: '1Mi', least: [1, '1'], most: [256 * MI, '256Mi'] },
};

const QUANTITY = /^([0-9]{1,15}(?:\.[0-9]{1,3})?)([A-Za-z]*)$/;

export const LIMIT_NAMES = Object.keys(ROWS) as readonly LimitName[];

/** Bytes or milliseconds, or a string that says what is wrong with the value. */
export function parseLimit(name: LimitName, text: string): number | string {
  const value = parseQuantity(ROWS[name], text);
  // Whoever writes "500m" means half a processor, and is told why that is not taken.
  const isRate = name === 'cpu' && typeof value === 'string' && value.startsWith('must be a number');
  return isRate ? `${value}, the CPU time of one call; a share of a processor cannot be enforced` : value;
}

/** The value in the smallest unit, or a string that says what is wrong with it. */
export function parseQuantity({ units, example, least, most }: QuantityRange, text: string): number | string {
  const match = QUANTITY.exec(text);
  const unit = match && Object.hasOwn(units, match[2]!) ? units[match[2]!] : undefined;
  if (!match || unit === undefined)
    return `must be a number with one of the units ${unitList(units)}, as in "${example}"`;
  const value = Math.floor(Number(match[1]) * unit);
  if (value < least[0]) return `must be at least ${least[1]}`;
  if (value > most[0]) return `must be at most ${most[1]}`;
  return value;
}

function unitList(units: Readonly<Record<string, number>>): string {
  return Object.keys(units)
    .map((unit) => (unit === '' ? 'none (bytes)' : unit))
    .join(', ');
}
