// Descriptors that this process was started with and would hand on to what it starts. Node marks its own as not to be
// handed on, and those it was given up to the first gap; what an MCP host or a shell left open behind it would reach a
// cell. Linux tells which; elsewhere there is no telling.

import { readdirSync, readFileSync } from 'node:fs';

const CLOSED_ON_EXEC = 0o2000000;
/** Standard input, output and error are given anew in any case. */
const FIRST = 3;

export function inheritedDescriptors(): readonly number[] {
  if (process.platform !== 'linux') return [];
  try {
    return readdirSync('/proc/self/fd')
      .map(Number)
      .filter((descriptor) => descriptor >= FIRST && isHandedOn(descriptor))
      .sort((a, b) => a - b);
  } catch {
    return [];
  }
}

function isHandedOn(descriptor: number): boolean {
  try {
    const info = readFileSync(`/proc/self/fdinfo/${descriptor}`, 'latin1');
    const flags = /^flags:\s*([0-7]+)$/m.exec(info)?.[1];
    return flags !== undefined && (Number.parseInt(flags, 8) & CLOSED_ON_EXEC) === 0;
  } catch {
    // The one that listed the folder is gone by now.
    return false;
  }
}
