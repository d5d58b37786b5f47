// The component that a cell has: compiled once, its functions with their JSON codecs, and instances made from it.
// A fresh instance serves one call and is thrown away; the next one is made while the cell has nothing to do.

import { type Compiled, compile, type Instance } from '../../engine/engine.ts';
import { createFuncCodec, type FuncCodec } from '../../wit/codec.ts';
import { type Description, type FuncDescription, functionsOf } from '../description.ts';
import { importsFor } from './imports.ts';
import { InstancePort } from './instance-port.ts';
import type { Pipe } from './pipe.ts';
import { createSessionHandles, type SessionHandles } from './session-handles.ts';

export interface Living {
  readonly instance: Instance;
  readonly port: InstancePort;
}

/** An instance made ahead of its call. */
interface Spare {
  readonly port: InstancePort;
  readonly made: Promise<Living>;
  living: Living | null;
}

export interface CellFunction extends FuncDescription {
  readonly codec: FuncCodec;
}

export interface CellComponent {
  readonly description: Description;
  readonly handles: SessionHandles;
  func(index: number): CellFunction;
  /** An instance that waits, or else a new one. With a call to work for from the start, it may ask the host. */
  instantiate(call: number, port?: (port: InstancePort) => void): Living | Promise<Living>;
  /** Makes the instance for the next call. */
  prepare(): void;
}

/** Tables lie outside linear memory; real programs have thousands of elements. */
const MOST_TABLE_ELEMENTS = 1_000_000;

/** Custom sections that the broker has a use for. */
const WANTED_SECTIONS: ReadonlySet<string> = new Set(['package-docs', 'producers']);

export async function loadComponent(
  bytes: Uint8Array,
  memoryBytes: number,
  pipe: Pipe,
): Promise<CellComponent> {
  const compiled = await compile(bytes, { memoryBytes, tableElements: MOST_TABLE_ELEMENTS });
  const handles = createSessionHandles();
  const found = functionsOf(compiled.type);
  const functions: (CellFunction | undefined)[] = [];
  let spare: Spare | null = null;

  const make = async (port: InstancePort): Promise<Living> => ({
    port,
    instance: await instantiate(compiled, port),
  });

  return {
    handles,
    description: {
      kind: compiled.kind,
      functions: found,
      imports: importNames(compiled),
      sections: new Map(
        compiled.sections
          .filter(({ name }) => WANTED_SECTIONS.has(name))
          .map(({ name, bytes: body }) => [name, body]),
      ),
    },
    func(index) {
      const known = functions[index];
      if (known !== undefined) return known;
      const description = found[index] as FuncDescription;
      // A type with no JSON form is a fault of one function, told when that one is called.
      const made = { ...description, codec: createFuncCodec(description.type, handles) };
      functions[index] = made;
      return made;
    },
    instantiate(call, onPort) {
      const taken = spare;
      spare = null;
      const port = taken?.port ?? new InstancePort(pipe);
      port.attach(call);
      onPort?.(port);
      return taken === null ? make(port) : (taken.living ?? taken.made);
    },
    prepare() {
      if (spare !== null) return;
      const port = new InstancePort(pipe);
      const made = make(port);
      const next: Spare = { port, made, living: null };
      spare = next;
      made.then(
        (living) => {
          next.living = living;
        },
        // Told to the call that takes it.
        () => {},
      );
    },
  };
}

function instantiate(compiled: Compiled, port: InstancePort): Promise<Instance> {
  return compiled.kind === 'component'
    ? compiled.instantiate(importsFor(compiled, port))
    : compiled.instantiate();
}

function importNames(compiled: Compiled): string[] {
  return compiled.kind === 'component'
    ? [...compiled.type.imports.keys()]
    : [...new Set(compiled.coreImports.map(({ module }) => module))];
}
