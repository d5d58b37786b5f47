// Takes secrets out of what is told to operators: log lines, call logs, audit lines, errors. The one place that does.
// A secret is known by the name of its property, by its form, or because it was added: then it leaves in no text, not
// even inside of a longer one or encoded. Must never throw, and never be asked to change what a caller gets as a result.

import { secretForms } from './secret-forms.ts';
import { isSecretName, plainName, withoutShapes } from './secret-shapes.ts';

export interface Redactor {
  /** From now on this value is taken out wherever it stands. */
  add(secret: string): void;
  text(text: string): string;
  /** The beginning of a text, at most `length` characters of it, never with half a secret at its end. */
  head(text: string, length: number): string;
  /** A copy as JSON can say it, without secrets; `names` are further names of properties that hold some. */
  value(value: unknown, names?: readonly string[]): unknown;
}

const REDACTED = '[redacted]';
const DEEPEST = 64;

export function createRedactor(): Redactor {
  const forms = new Set<string>();
  let known: RegExp | null = null;

  const text = (value: string): string =>
    withoutShapes(known === null ? value : value.replace(known, REDACTED));

  return {
    add(secret) {
      const before = forms.size;
      for (const form of secretForms(secret)) forms.add(form);
      if (forms.size > before) known = anyOf(forms);
    },
    text,
    head(value, length) {
      if (value.length <= length) return text(value);
      let end = length;
      for (const found of known === null ? [] : value.matchAll(known)) {
        if (found.index >= length) break;
        if (found.index + found[0].length > length) end = found.index;
      }
      return text(value.slice(0, end));
    },
    value(value, names = []) {
      return copy(value, { text, names: new Set(names.map(plainName)), above: new Set() });
    },
  };
}

/** For those who know no values: takes out what looks secret by name or form. */
export function redact(value: unknown, names: readonly string[] = []): unknown {
  return createRedactor().value(value, names);
}

/** Longest first, so that a secret which begins like another one is found as a whole. */
function anyOf(forms: ReadonlySet<string>): RegExp {
  const longestFirst = [...forms].sort((a, b) => b.length - a.length);
  return new RegExp(longestFirst.map(literally).join('|'), 'g');
}

function literally(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

interface Copying {
  readonly text: (text: string) => string;
  readonly names: ReadonlySet<string>;
  /** The objects around the present one. */
  readonly above: Set<object>;
}

function copy(value: unknown, copying: Copying): unknown {
  if (typeof value === 'string') return copying.text(value);
  if (typeof value === 'bigint') return `${value}`;
  if (typeof value !== 'object' || value === null) return value;
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  if (copying.above.has(value)) return '[seen]';
  if (copying.above.size >= DEEPEST) return '[deep]';
  copying.above.add(value);
  try {
    if (Array.isArray(value)) return value.map((item) => copy(item, copying));
    if (value instanceof Error) return copyEntries(ofError(value), copying);
    const plain: unknown = 'toJSON' in value && typeof value.toJSON === 'function' ? value.toJSON() : value;
    return plain === value ? copyEntries(Object.entries(value), copying) : copy(plain, copying);
  } catch {
    return '[unreadable]';
  } finally {
    copying.above.delete(value);
  }
}

function ofError(error: Error): [string, unknown][] {
  return [
    ['name', error.name],
    ['message', error.message],
    ['stack', error.stack],
  ];
}

function copyEntries(entries: readonly [string, unknown][], copying: Copying): unknown {
  return Object.fromEntries(
    entries.map(([name, value]) => [
      copying.text(name),
      holdsSecret(name, value, copying.names) ? REDACTED : copy(value, copying),
    ]),
  );
}

/** That there is none, or whether there is one, is no secret. */
function holdsSecret(name: string, value: unknown, names: ReadonlySet<string>): boolean {
  if (value === undefined || value === null || typeof value === 'boolean') return false;
  const plain = plainName(name);
  return names.has(plain) || isSecretName(plain);
}
