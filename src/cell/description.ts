// What a cell says about the component it loaded: its functions with their types, what it imports, its custom sections.
// Written in the cell from the engine's types, read in the broker as hostile data. Types travel as a table in which an
// entry points only to earlier ones: shared types stay shared, cycles cannot be said, and depth is checked once.

import type { WireValue } from '../core/port.ts';
import type { ComponentType, FuncType } from '../wit/type.ts';
import { createTypeReader, createTypeWriter } from './type-table.ts';
import { malformed } from './wire/from-cell.ts';

export interface FuncDescription {
  /** `['add']`, or `['wasi:cli/run@0.2.3', 'run']`. */
  readonly path: readonly string[];
  readonly type: FuncType;
}

export interface Description {
  readonly kind: 'component' | 'module';
  readonly functions: readonly FuncDescription[];
  /** Names of what it imports, for people and for policies. */
  readonly imports: readonly string[];
  readonly sections: ReadonlyMap<string, Uint8Array>;
}

const MOST_FUNCTIONS = 10_000;
const MOST_IMPORTS = 10_000;
const MOST_PATH = 2;

export function functionsOf(type: ComponentType): FuncDescription[] {
  const found: FuncDescription[] = [];
  for (const [name, extern] of type.exports) {
    if (extern.kind === 'func') found.push({ path: [name], type: extern.type });
    if (extern.kind !== 'instance') continue;
    for (const [inner, item] of extern.type.exports) {
      if (item.kind === 'func') found.push({ path: [name, inner], type: item.type });
    }
  }
  return found;
}

export function writeDescription({ kind, functions, imports, sections }: Description): WireValue {
  const types = createTypeWriter();
  const written = functions.map(({ path, type }) => [
    path,
    type.params.map(({ name, type: each }) => [name, types.add(each)]),
    type.result === null ? null : types.add(type.result),
    type.async,
  ]);
  return [kind, types.table, written, imports, [...sections].map(([name, bytes]) => [name, bytes])];
}

/** Throws `wire-malformed` for anything that `writeDescription` would not have written. */
export function readDescription(value: WireValue): Description {
  const [kind, table, functions, imports, sections] = list(value, 5);
  if (kind !== 'component' && kind !== 'module') malformed('a component of unknown kind');
  const typeAt = createTypeReader(list(table));
  return {
    kind,
    functions: list(functions, undefined, MOST_FUNCTIONS).map((each) => {
      const [path, params, result, isAsync] = list(each, 4);
      return {
        path: list(path, undefined, MOST_PATH).map(text),
        type: {
          params: list(params, undefined, 1000).map((param) => {
            const [name, type] = list(param, 2);
            return { name: text(name), type: typeAt(type) };
          }),
          result: result === null ? null : typeAt(result),
          async: isAsync === true,
        },
      };
    }),
    imports: list(imports, undefined, MOST_IMPORTS).map(text),
    sections: new Map(
      list(sections, undefined, 64).map((each) => {
        const [name, bytes] = list(each, 2);
        if (!(bytes instanceof Uint8Array)) malformed('a section without bytes');
        return [text(name), bytes as Uint8Array] as const;
      }),
    ),
  };
}

function list(value: WireValue | undefined, count?: number, most = 1 << 17): readonly WireValue[] {
  if (!Array.isArray(value) || value.length > most) malformed('a description has no list where one belongs');
  const items = value as readonly WireValue[];
  if (count !== undefined && items.length !== count)
    malformed('a description has a list of the wrong length');
  return items;
}

function text(value: WireValue | undefined): string {
  return typeof value === 'string' ? value : malformed('a description has no text where it belongs');
}
