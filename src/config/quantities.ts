// Quantities as text, the other way round, and rates: `50/s`.

import { quote } from '../policy/document.ts';
import { scalar } from './scalars.ts';
import type { Shape } from './shape.ts';

const PER_SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };
const RATE = '^(?!0+(\\.0+)?/)[0-9]{1,7}(\\.[0-9]{1,3})?/[smhd]$';

/** In the largest unit that says it exactly. */
export function formatQuantity(value: number, units: Readonly<Record<string, number>>): string | number {
  const binary = Object.entries(units).filter(
    ([name, worth]) => name !== '' && value % worth === 0 && value > 0,
  );
  const [unit] = binary.sort(([, a], [, b]) => b - a);
  return unit === undefined ? value : `${value / unit[1]}${unit[0]}`;
}

/** How many per second; `50/s`, `10/m`, `100/h`, `5000/d`. */
export function rate(): Shape<number> {
  return {
    schema: { type: 'string', pattern: RATE },
    read(node, place) {
      const value = scalar(node, place);
      if (typeof value !== 'string' || !new RegExp(RATE, 'u').test(value))
        return place.fail(
          node,
          `${place.path} is ${quote(String(value))}, it must be a rate above zero: "50/s", "10/m", "100/h" or "5000/d"`,
        );
      const [count, per] = value.split('/') as [string, string];
      return Number(count) / PER_SECONDS[per]!;
    },
    write(value) {
      const found = Object.entries(PER_SECONDS).find(([, seconds]) => isShort(value * seconds));
      return found ? `${round(value * found[1])}/${found[0]}` : `${round(value * 86_400)}/d`;
    },
  };
}

/** Three decimals: what a rate may be written with. */
const round = (value: number): number => Math.round(value * 1_000) / 1_000;
const isShort = (value: number): boolean => Math.abs(value - round(value)) < 1e-9 * Math.max(1, value);
