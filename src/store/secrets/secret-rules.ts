// What can be kept as a secret: a name that fits an environment and a configuration, and a text that can be found again
// in whatever is logged.

import { WitboxError } from '../../core/errors.ts';

const NAME = /^[A-Za-z_][A-Za-z0-9_.-]{0,127}$/;
/** Shorter ones could not be taken out of logs without taking out everything. */
const SHORTEST = 4;
const LONGEST = 16_384;

export function checkName(name: string): void {
  if (NAME.test(name)) return;
  throw new WitboxError('secret-invalid', {
    key: clip(name),
    problem: 'a name has letters, digits, "_", "." and "-", at most 128, and begins with a letter or "_"',
  });
}

export function checkValue(key: string, value: string): void {
  const bytes = Buffer.byteLength(value);
  const problem =
    bytes < SHORTEST || bytes > LONGEST
      ? `a value has ${SHORTEST} to ${LONGEST} bytes, this one has ${bytes}`
      : value.includes('\0') || !value.isWellFormed()
        ? 'a value is text in UTF-8, without NUL'
        : null;
  if (problem !== null) throw new WitboxError('secret-invalid', { key, problem });
}

export function clip(name: string): string {
  return JSON.stringify(name.slice(0, 80)).slice(1, -1);
}
