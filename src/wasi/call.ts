// What all interfaces of one call share: the port to the broker and what the guest knows from the start. Runs in the
// cell; holds no rights of its own, only numbers that the broker gave meaning to.

import type { Port, WireValue } from '../core/port.ts';

export interface WasiOptions {
  /** Instead of the arguments the broker gives. */
  readonly args?: readonly string[];
  /** What the guest reads from its standard input; empty if left out. */
  readonly stdin?: Uint8Array;
  /** Takes standard output instead of the log of the call. */
  onStdout?(bytes: Uint8Array): void;
  /** Bytes of output and log messages sent to the broker, at most. */
  readonly logBytes?: number;
}

export interface Beginning {
  readonly environment: readonly (readonly [string, string])[];
  readonly arguments: readonly string[];
  readonly config: readonly (readonly [string, string])[];
  /** [handle, path, flags] */
  readonly preopens: readonly (readonly [number, string, readonly string[]])[];
}

export interface Call {
  readonly port: Port;
  readonly options: WasiOptions;
  /** Asked on first use in a call: many guests never need it. */
  begin(): Beginning | Promise<Beginning>;
  /** A number for a handle that the cell chooses itself. */
  nextId(): number;
  drop(id: number): void;
  /** How often the guest has changed the content of a file: what was read before may no longer be so. */
  changes(): number;
}

const CHANGING: ReadonlySet<string> = new Set(['fs.write', 'fs.append', 'fs.set-size', 'fs.open-at']);

export function createCall(outer: Port, options: WasiOptions): Call {
  let changes = 0;
  const port: Port = {
    get generation() {
      return outer.generation ?? 0;
    },
    get beginning() {
      return outer.beginning ?? null;
    },
    request(op, args) {
      if (CHANGING.has(op) && (op !== 'fs.open-at' || truncates(args))) changes++;
      return outer.request(op, args);
    },
    post: (op, args) => outer.post(op, args),
  };
  let beginning: Beginning | undefined;
  let asked: Promise<Beginning> | undefined;
  let generation: number | undefined;
  let last = 0;
  return {
    port,
    options,
    begin() {
      if (generation !== port.generation) beginning = undefined;
      if (beginning !== undefined) return beginning;
      if (port.beginning !== null) {
        generation = port.generation;
        beginning = readBeginning(port.beginning as WireValue, options);
        return beginning;
      }
      asked ??= port.request('begin', []).then((answer) => {
        // An instance may ask before it has a call; the answer is that of the call it then got.
        generation = port.generation;
        asked = undefined;
        beginning = readBeginning(answer, options);
        return beginning;
      });
      return asked;
    },
    nextId() {
      last += 2;
      return last;
    },
    drop: (id) => port.post('drop', [id]),
    changes: () => changes,
  };
}

/** `fs.open-at` has its open flags in fourth place. */
const truncates = (args: readonly WireValue[]): boolean =>
  Array.isArray(args[3]) && args[3].includes('truncate');

function readBeginning(answer: WireValue, { args }: WasiOptions): Beginning {
  const [environment, given, config, preopens] = answer as unknown as [
    Beginning['environment'],
    readonly string[],
    Beginning['config'],
    Beginning['preopens'],
  ];
  return { environment, arguments: args ?? given, config, preopens };
}
