// What the log keeps of arguments and results: a SHA-256 over their JSON text, with members in the order in which they
// came; or, if the operator wants to read them, the values themselves with what is secret taken out. Then the digest is
// that of what is shown.

import type { Json } from '../core/json.ts';
import type { Redactor } from '../core/redact.ts';
import { type Digested, hashOf } from './line.ts';
import type { AuditOptions } from './options.ts';

/** Longer values are told by their digest alone. */
const MOST_VALUE = 64 * 1024;

export function digestValue(
  value: Json | undefined,
  { values, redact: names }: Pick<AuditOptions, 'values' | 'redact'>,
  redactor: Pick<Redactor, 'value'>,
): Digested | undefined {
  if (value === undefined) return undefined;
  const shown = values === 'redacted' ? redactor.value(value, names) : value;
  const text = JSON.stringify(shown) ?? 'null';
  const digest = { sha256: hashOf(text), bytes: Buffer.byteLength(text) };
  return values === 'redacted' && text.length <= MOST_VALUE ? { ...digest, value: shown } : digest;
}
