// How the codecs say that a value does not fit its type: where it is, what the type asks for, what was there. The place
// is put together while the throw unwinds, so values that fit pay nothing for it. What is quoted is cut short: the
// value may be hostile and long.

import { WitboxError } from '../core/errors.ts';

const QUOTED = 60;

/** Thrown and caught inside src/wit only; the outermost codec turns it into a WitboxError. */
export class Misfit extends Error {
  override readonly name = 'Misfit';
  readonly path: (string | number)[] = [];
}

/** `expected` completes the sentence "expected …". */
export function misfit(expected: string, got: unknown): Misfit {
  return new Misfit(`expected ${expected}, got ${quote(got)}`);
}

/** Adds the step that led to the failing value, on the way out. Anything but a Misfit is passed through. */
export function at(step: string | number, error: unknown): unknown {
  if (error instanceof Misfit) error.path.push(step);
  return error;
}

export function asWitboxError(error: unknown): unknown {
  if (!(error instanceof Misfit)) return error;
  const path = error.path.reverse().map(step).join('');
  return new WitboxError('value-misfit', { path: `$${path}`, problem: error.message });
}

function step(key: string | number): string {
  if (typeof key === 'number') return `[${key}]`;
  return /^[A-Za-z_][\w-]{0,127}$/.test(key) ? `.${key}` : `[${quote(key)}]`;
}

/** The value as JSON would show it if that is short, else what it is. */
export function quote(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return value.length > QUOTED
        ? `${JSON.stringify(value.slice(0, QUOTED))}… (${value.length} characters)`
        : JSON.stringify(value);
    case 'undefined':
      return 'nothing';
    case 'object':
      if (value === null) return 'null';
      if (Array.isArray(value)) return `an array of ${value.length}`;
      return ArrayBuffer.isView(value) ? `${value.byteLength} bytes` : 'an object';
    case 'function':
    case 'symbol':
      return `a ${typeof value}`;
    default:
      return String(value);
  }
}
