// Starts a command inside the outer layers: no environment, no descriptors but a bounded stderr, the pipe at 3, and for
// an instant the filter of system calls at 4, which the layer reads and closes before the command begins.

import { type ChildProcess, spawn } from 'node:child_process';
import { openSync } from 'node:fs';
import type { Writable } from 'node:stream';
import { FILTER_DESCRIPTOR } from './bubblewrap.ts';
import { inheritedDescriptors } from './inherited.ts';
import type { Layers } from './layers.ts';

/** Descriptor 3 is one socket for both ways; a cell has no other door. */
const OWN = ['ignore', 'ignore', 'pipe', 'pipe'] as const;

/** By number: nothing in place of each descriptor that would be handed on, and the others as they are, which is none. */
const OTHERS = coverInherited(inheritedDescriptors());

function coverInherited(inherited: readonly number[]): readonly (number | 'ignore')[] {
  if (inherited.length === 0) return [];
  const nothing = openSync('/dev/null', 'r');
  return Array.from({ length: inherited.at(-1)! + 1 }, (_, at) =>
    inherited.includes(at) ? nothing : 'ignore',
  );
}

export function enter(
  layers: Layers,
  readable: readonly string[],
  [command, ...args]: readonly string[],
): ChildProcess {
  const [first, ...rest] = [...layers.prefix(readable), command as string, ...args];
  const child = spawn(first as string, rest, {
    stdio: [
      ...OWN,
      layers.filter === null ? (OTHERS[FILTER_DESCRIPTOR] ?? 'ignore') : 'pipe',
      ...OTHERS.slice(FILTER_DESCRIPTOR + 1),
    ],
    env: {},
    cwd: '/',
    // A group of its own: a signal to its whole group, which no namespace stops, ends a cell's own process alone.
    detached: true,
    windowsHide: true,
  });
  const gate = child.stdio?.[FILTER_DESCRIPTOR] as Writable | undefined;
  // A layer that could not be started reads nothing; that it ended says enough.
  gate?.on('error', () => {});
  gate?.end(layers.filter, () => gate.destroy());
  return child;
}
