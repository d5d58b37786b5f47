// The ranges and spellings of WIT numbers in JSON, shared by schema and codecs so that these cannot disagree.

export const INTEGER_RANGES = {
  s8: [-128, 127],
  u8: [0, 255],
  s16: [-32768, 32767],
  u16: [0, 65535],
  s32: [-2147483648, 2147483647],
  u32: [0, 4294967295],
} as const;

interface LongInteger {
  readonly min: bigint;
  readonly max: bigint;
  /** Bounds of the integers that a JSON number carries without loss. */
  readonly safeMin: number;
  readonly safeMax: number;
  /** Spelling of the string form: no leading zeros, no plus, no minus zero. The range is the format's business. */
  readonly pattern: RegExp;
  /** As named in the format registry of OpenAPI, where these formats cover strings too. */
  readonly format: 'int64' | 'uint64';
}

export const LONG_INTEGERS: { readonly s64: LongInteger; readonly u64: LongInteger } = {
  s64: {
    min: -(2n ** 63n),
    max: 2n ** 63n - 1n,
    safeMin: Number.MIN_SAFE_INTEGER,
    safeMax: Number.MAX_SAFE_INTEGER,
    pattern: /^(0|-?[1-9][0-9]{0,18})$/,
    format: 'int64',
  },
  u64: {
    min: 0n,
    max: 2n ** 64n - 1n,
    safeMin: 0,
    safeMax: Number.MAX_SAFE_INTEGER,
    pattern: /^(0|[1-9][0-9]{0,19})$/,
    format: 'uint64',
  },
};

/** What JSON numbers cannot say. Minus zero is a JSON number (`-0`), so it needs no name. */
export const FLOAT_NAMES: readonly string[] = ['NaN', 'Infinity', '-Infinity'];

/** The largest finite f32, in its shortest spelling: all up to here rounds to a finite f32. */
export const FLOAT_LIMITS = { f32: 3.4028235e38, f64: Number.MAX_VALUE } as const;

/** The shortest decimal that reads back as the same f32: 0.1, where the f64 of the same bits is 0.10000000149011612. */
export function shortestFloat32(value: number): number {
  for (let digits = 6; digits <= 8; digits++) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return short;
  }
  return value;
}

/** Base64 (RFC 4648, section 4) with padding and without stray bits, so that bytes have one spelling. */
export const BASE64_PATTERN =
  '^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/][AQgw]==|[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=)?$';
