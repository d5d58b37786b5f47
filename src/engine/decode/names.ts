// The custom sections that name things: `name` of core modules, `component-name` of components, and `producers`.
// They are hints: a section that does not follow its grammar gives null (core 3.0 §7.4.1 and Binary.md, "Name
// Section", forbid refusing the file for it), so nothing here throws.

import { WitboxError } from '../../core/errors.ts';
import type { CustomSection } from './ast.ts';
import { Reader } from './reader.ts';

export interface CoreNames {
  readonly module: string | null;
  /** Function names by function index. */
  readonly functions: ReadonlyMap<number, string>;
  /** Names of locals, parameters first, by function index. */
  readonly locals: ReadonlyMap<number, ReadonlyMap<number, string>>;
}

/** `wanted` says which functions' names are kept: a big module names tens of thousands. */
export function readCoreNames(
  customs: readonly CustomSection[],
  wanted: (func: number) => boolean = () => true,
): CoreNames | null {
  return read(customs, 'name', (r) => {
    let module: string | null = null;
    let functions: ReadonlyMap<number, string> = new Map();
    const locals = new Map<number, ReadonlyMap<number, string>>();
    while (r.left > 0) {
      const id = r.byte();
      r.sized(() => {
        if (id === 0) module = r.name();
        else if (id === 1) functions = readNameMap(r, wanted);
        else if (id === 2) {
          r.vec('functions', r.limits.entries, () => {
            const func = r.u32();
            const names = readNameMap(r, () => wanted(func));
            if (wanted(func)) locals.set(func, names);
          });
        } else r.take(r.left);
      });
    }
    return { module, functions, locals };
  });
}

function readNameMap(r: Reader, wanted: (index: number) => boolean): Map<number, string> {
  const names = new Map<number, string>();
  r.vec('names', r.limits.entries, () => {
    const index = r.u32();
    if (wanted(index)) names.set(index, r.name());
    else r.take(r.u32());
  });
  return names;
}

/** A component's own name; names of its definitions are not kept. */
export function readComponentName(customs: readonly CustomSection[]): string | null {
  return read(customs, 'component-name', (r) => {
    if (r.left === 0 || r.byte() !== 0) return null;
    return r.sized(() => r.name());
  });
}

export interface Producer {
  /** `language`, `sdk` or `processed-by`. */
  readonly role: string;
  readonly name: string;
  readonly version: string;
}

/** Which languages and tools made the file. */
export function readProducers(customs: readonly CustomSection[]): readonly Producer[] | null {
  return read(customs, 'producers', (r) =>
    r
      .vec('fields', 100, () => {
        const role = r.name();
        return r.vec('producers', 1_000, () => ({ role, name: r.name(), version: r.name() }));
      })
      .flat(),
  );
}

function read<T>(customs: readonly CustomSection[], name: string, body: (r: Reader) => T): T | null {
  const section = customs.find((custom) => custom.name === name);
  if (section === undefined) return null;
  try {
    return body(new Reader(section.bytes));
  } catch (error) {
    if (error instanceof WitboxError) return null;
    throw error;
  }
}
