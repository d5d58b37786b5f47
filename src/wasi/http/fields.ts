// wasi:http/types `fields`: names compare without case and keep the case they were given in, values are bytes. What
// could not be sent as it is (CR, LF, NUL, spaces in names) is refused here, and again by the broker.

import { CONNECTION_HEADERS } from '../../core/connection-headers.ts';
import { type HostFunc, hostResource } from '../../engine/engine.ts';
import type { Value } from '../../wit/value.ts';
import { err, ok } from '../result.ts';

export type Row = readonly [name: string, value: Uint8Array];

export interface Fields {
  rows: Row[];
  readonly immutable: boolean;
}

export const fieldsResource = hostResource({ name: 'fields' });

const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,256}$/;
const MOST_ROWS = 1024;

const lower = (name: Value): string => (name as string).toLowerCase();

function problem(name: string, values: readonly Uint8Array[]): string | null {
  if (!TOKEN.test(name) || !values.every(isValue)) return 'invalid-syntax';
  return CONNECTION_HEADERS.has(name.toLowerCase()) ? 'forbidden' : null;
}

const isValue = (value: Uint8Array): boolean =>
  value.every((byte) => byte === 9 || (byte >= 32 && byte !== 127));

const refused = (tag: string): Value => err({ tag });

export const frozenFields = (rows: readonly Row[]): Fields => ({ rows: [...rows], immutable: true });

export function fieldsMethods(): Readonly<Record<string, HostFunc>> {
  const change = (
    self: Value,
    name: Value,
    values: readonly Uint8Array[],
    make: (fields: Fields) => void,
  ): Value => {
    const fields = self as Fields;
    if (fields.immutable) return refused('immutable');
    const wrong = problem(name as string, values);
    if (wrong !== null) return refused(wrong);
    if (fields.rows.length + values.length > MOST_ROWS) throw new Error(`more than ${MOST_ROWS} fields`);
    make(fields);
    return ok();
  };
  const without = (fields: Fields, name: Value): Row[] =>
    fields.rows.filter(([own]) => lower(own) !== lower(name));
  return {
    '[constructor]fields': () => ({ rows: [], immutable: false }) satisfies Fields,
    '[static]fields.from-list': (entries) => {
      const rows = entries as readonly Row[];
      for (const [name, value] of rows) {
        const wrong = problem(name, [value]);
        if (wrong !== null) return refused(wrong);
      }
      return ok({ rows: [...rows], immutable: false } satisfies Fields);
    },
    '[method]fields.get': (self, name) =>
      (self as Fields).rows.filter(([own]) => lower(own) === lower(name)).map(([, value]) => value),
    '[method]fields.has': (self, name) => (self as Fields).rows.some(([own]) => lower(own) === lower(name)),
    '[method]fields.set': (self, name, values) => {
      const list = values as readonly Uint8Array[];
      return change(self, name, list, (fields) => {
        fields.rows = [...without(fields, name), ...list.map((value): Row => [name as string, value])];
      });
    },
    '[method]fields.delete': (self, name) =>
      change(self, name, [], (fields) => {
        fields.rows = without(fields, name);
      }),
    '[method]fields.append': (self, name, value) =>
      change(self, name, [value as Uint8Array], (fields) => {
        fields.rows.push([name as string, value as Uint8Array]);
      }),
    '[method]fields.entries': (self) => [...(self as Fields).rows],
    '[method]fields.clone': (self) =>
      ({ rows: [...(self as Fields).rows], immutable: false }) satisfies Fields,
  };
}
