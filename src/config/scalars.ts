// Shapes of single values. What cannot be enforced is refused here, with the reason; nothing is rounded or guessed.

import { resolve } from 'node:path';
import { quote } from '../policy/document.ts';
import { parseQuantity, type QuantityRange, SIZE_UNITS, TIME_UNITS } from '../policy/quantity.ts';
import { isScalar, type Node } from '../policy/yaml.ts';
import { formatQuantity } from './quantities.ts';
import type { Place, Shape } from './shape.ts';

const MAX_LENGTH = 2_048;
/** One line, without anything that could disturb a terminal. */
const PLAIN = '^[^\\u0000-\\u001f\\u007f]+$';

export function flag(): Shape<boolean> {
  return {
    schema: { type: 'boolean' },
    read(node, place) {
      const value = scalar(node, place);
      return typeof value === 'boolean' ? value : place.fail(node, `${place.path} must be true or false`);
    },
    write: (value) => value,
  };
}

/** `is`: what a value must be, for the message: "must be an https: address". */
export function text(pattern = PLAIN, is = 'one line of text'): Shape<string> {
  const matches = new RegExp(pattern, 'u');
  return {
    schema: { type: 'string', pattern, maxLength: MAX_LENGTH },
    read(node, place) {
      const value = scalar(node, place);
      if (typeof value !== 'string') return place.fail(node, `${place.path} must be ${is}, as a string`);
      if ([...value].length > MAX_LENGTH)
        place.fail(node, `${place.path} is longer than ${MAX_LENGTH} characters`);
      return matches.test(value)
        ? value
        : place.fail(node, `${place.path} is ${quote(value)}, it must be ${is}`);
    },
    write: (value) => value,
  };
}

/** A file or folder, relative to the document. */
export function path(): Shape<string> {
  const plain = text(PLAIN, 'a path');
  return { ...plain, read: (node, place) => resolve(place.directory, plain.read(node, place)) };
}

/** A path, relative to the document, or an address with a scheme. */
export function reference(): Shape<string> {
  const plain = text(PLAIN, 'a path or an address');
  return {
    ...plain,
    read(node, place) {
      const value = plain.read(node, place);
      return /^[a-z][a-z0-9+.-]+:/i.test(value) ? value : resolve(place.directory, value);
    },
  };
}

export function integer(least: number, most: number): Shape<number> {
  return {
    schema: { type: 'integer', minimum: least, maximum: most },
    read(node, place) {
      const value = scalar(node, place);
      if (typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most)
        return value;
      return place.fail(node, `${place.path} must be a whole number from ${least} to ${most}`);
    },
    write: (value) => value,
  };
}

export function choice<const T extends string>(...values: readonly T[]): Shape<T> {
  return {
    schema: { enum: [...values] },
    read(node, place) {
      const found = values.find((one) => one === scalar(node, place));
      return (
        found ?? place.fail(node, `${place.path} must be ${values.map((one) => `"${one}"`).join(' or ')}`)
      );
    },
    write: (value) => value,
  };
}

/** Bytes: `64Mi`, or a plain number. */
export function size(least: readonly [number, string], most: readonly [number, string]): Shape<number> {
  return quantity({ units: SIZE_UNITS, example: '64Mi', least, most });
}

/** Milliseconds: `30s`. */
export function duration(least: readonly [number, string], most: readonly [number, string]): Shape<number> {
  return quantity({ units: TIME_UNITS, example: '30s', least, most });
}

function quantity(range: QuantityRange): Shape<number> {
  const units = Object.keys(range.units).filter((unit) => unit !== '');
  const bare = Object.hasOwn(range.units, '');
  const pattern = `^[0-9]{1,15}(\\.[0-9]{1,3})?(${units.join('|')})${bare ? '?' : ''}$`;
  const asText = { type: 'string', pattern };
  return {
    schema: bare
      ? { anyOf: [{ type: 'integer', minimum: range.least[0], maximum: range.most[0] }, asText] }
      : asText,
    read(node, place) {
      const value = scalar(node, place);
      const asWritten = Number.isSafeInteger(value) && bare ? String(value) : value;
      if (typeof asWritten !== 'string')
        return place.fail(node, `${place.path} must be text such as ${quote(range.example)}`);
      const parsed = parseQuantity(range, asWritten);
      if (typeof parsed === 'number') return parsed;
      return place.fail(node, `${place.path} is ${quote(asWritten)}, it ${parsed}`);
    },
    write: (value) => formatQuantity(value, range.units),
  };
}

/** The value of a scalar that is there: a key without a value is a slip, not a value. */
export function scalar(node: Node | null | undefined, place: Place): unknown {
  const value = isScalar(node) ? node.value : undefined;
  if (value === null || !node) place.fail(node, `${place.path} has no value: give one, or leave the key out`);
  return value;
}
