// The component that a cell has: compiled once, its functions with their JSON codecs, and instances made from it.
// A fresh instance serves one call and is thrown away; the next one is made while the cell has nothing to do.

import { type Compiled, compile, type Instance } from '../../engine/engine.ts';
import type { WasiOptions } from '../../wasi/wasi.ts';
import { createFuncCodec, type FuncCodec } from '../../wit/codec.ts';
import { type Description, type FuncDescription, functionsOf } from '../description.ts';
import { type Command, commandOf } from './command.ts';
import { componentImports, moduleImports } from './imports.ts';
import { type Attached, InstancePort } from './instance-port.ts';
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
  /** Set for the `main` of a program. */
  readonly command: Command | null;
}

export interface CellComponent {
  readonly description: Description;
  readonly handles: SessionHandles;
  /** It imports nothing: its calls never wait. */
  readonly pure: boolean;
  func(index: number): CellFunction;
  /** An instance that waits, or a new one if there is none or it must see a world of its own. */
  instantiate(
    call: Attached,
    onPort: (port: InstancePort) => void,
    wasi?: WasiOptions,
  ): Living | Promise<Living>;
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
  const command = commandOf(compiled);
  const found = describeFunctions(compiled, command);
  const functions: (CellFunction | undefined)[] = [];
  let spare: Spare | null = null;

  const make = async (port: InstancePort, wasi: WasiOptions = {}): Promise<Living> => ({
    port,
    instance: await instantiate(compiled, port, wasi),
  });

  const imports = importNames(compiled);
  return {
    handles,
    pure: imports.length === 0,
    description: {
      kind: compiled.kind,
      functions: found,
      imports,
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
      const made = {
        ...description,
        codec: createFuncCodec(description.type, handles),
        command: description === command?.description ? command : null,
      };
      functions[index] = made;
      return made;
    },
    instantiate(call, onPort, wasi) {
      const taken = wasi === undefined ? spare : null;
      if (taken !== null) spare = null;
      const port = taken?.port ?? new InstancePort(pipe);
      port.attach(call);
      onPort(port);
      return taken === null ? make(port, wasi) : (taken.living ?? taken.made);
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

/** A program's entry is shown as its `main`, and not a second time as it is. */
function describeFunctions(compiled: Compiled, command: Command | null): readonly FuncDescription[] {
  const found = functionsOf(compiled.type);
  if (command === null) return found;
  const hidden = compiled.kind === 'module' ? '_start' : command.description.path.join();
  return [command.description, ...found.filter(({ path }) => path.join() !== hidden)];
}

function instantiate(compiled: Compiled, port: InstancePort, wasi: WasiOptions): Promise<Instance> {
  return compiled.kind === 'component'
    ? compiled.instantiate(componentImports(compiled, port, wasi))
    : compiled.instantiate(moduleImports(compiled, port, wasi));
}

function importNames(compiled: Compiled): string[] {
  return compiled.kind === 'component'
    ? [...compiled.type.imports.keys()]
    : [...new Set(compiled.coreImports.map(({ module }) => module))];
}
