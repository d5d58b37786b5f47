// The command that starts a cell: Node with nothing allowed but reading the given code folders, inside whatever outer
// layers this system offers.
// Invariant: a flag that a Node does not know is left out only if what it turns off does not exist there.

import type { ChildProcess } from 'node:child_process';
import { Socket } from 'node:net';
import { enter } from './enter.ts';
import type { Layers } from './layers.ts';
import type { Program } from './own-program.ts';

export interface LaunchOptions extends Program {
  readonly node: string;
  readonly layers: Layers;
  /** Heap of JavaScript in a cell: types, handles and values of guests, never their linear memory. */
  readonly heapMb: number;
  /** No memory of any guest grows beyond this. */
  readonly memoryBytes: number;
}

export interface Launched {
  readonly process: ChildProcess;
  readonly pipe: Socket;
}

/** What a cell has no use for and could reach files, the network or native code in ways of its own. */
const SWITCHED_OFF = [
  '--no-experimental-sqlite',
  '--no-experimental-ffi',
  '--no-experimental-websocket',
  '--no-experimental-webstorage',
  '--no-experimental-eventsource',
  '--no-addons',
  '--disable-sigusr1',
] as const;

function nodeFlags(options: LaunchOptions): string[] {
  const pages = Math.ceil(options.memoryBytes / 65536);
  return [
    '--permission',
    ...options.readable.map((folder) => `--allow-fs-read=${folder}`),
    '--disallow-code-generation-from-strings',
    '--disable-proto=delete',
    `--max-old-space-size=${options.heapMb}`,
    `--wasm-max-mem-pages=${pages}`,
    '--no-warnings',
    ...SWITCHED_OFF.filter((flag) => process.allowedNodeEnvironmentFlags.has(flag)),
  ];
}

export function launch(options: LaunchOptions): Launched {
  const { layers, readable, node, entry } = options;
  const child = enter(layers, readable, [node, ...nodeFlags(options), entry]);
  // Out of descriptors there are no pipes, and the error event says why: until then a socket that is never connected.
  return { process: child, pipe: (child.stdio?.[3] as Socket | undefined) ?? new Socket() };
}
