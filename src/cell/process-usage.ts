// Processor time and resident memory of a cell, as Linux tells them in /proc. Elsewhere there is nothing to read and
// the limits that need it are not enforced, which `witbox doctor` says.

import { closeSync, openSync, readFileSync, readSync } from 'node:fs';

export interface Usage {
  readonly cpuMs: number;
  readonly residentBytes: number;
}

export interface UsageReader {
  read(): Usage | null;
  close(): void;
}

/** Kernel ticks are 1/100 s on every Linux that Node runs on; pages are read from the same line as bytes / 4096. */
const TICK_MS = 10;
const PAGE = 4096;
/** Fields of /proc/PID/stat, counted after the command's closing parenthesis. */
const UTIME = 11;
const STIME = 12;
const RSS = 21;

/** `pid` is what was spawned; with namespaces the cell is the last of a line of only children behind it. */
export function openUsage(pid: number, isParent: boolean): UsageReader | null {
  if (process.platform !== 'linux') return null;
  try {
    const target = isParent ? lastChild(pid) : pid;
    const descriptor = openSync(`/proc/${target}/stat`, 'r');
    const line = Buffer.alloc(1024);
    return {
      read() {
        try {
          const size = readSync(descriptor, line, 0, line.length, 0);
          return parseStat(line.toString('latin1', 0, size));
        } catch {
          return null;
        }
      },
      close: () => closeSync(descriptor),
    };
  } catch {
    return null;
  }
}

function parseStat(line: string): Usage | null {
  // The command stands in parentheses and may hold anything, spaces and parentheses included.
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
  const [utime, stime, rss] = [fields[UTIME], fields[STIME], fields[RSS]].map(Number);
  if (utime === undefined || stime === undefined || rss === undefined) return null;
  const usage = { cpuMs: (utime + stime) * TICK_MS, residentBytes: rss * PAGE };
  return Number.isFinite(usage.cpuMs) && Number.isFinite(usage.residentBytes) ? usage : null;
}

const MOST_LAYERS = 4;

function lastChild(pid: number, depth = 0): number {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').trim();
  if (text === '' && depth > 0) return pid;
  const child = Number(text);
  if (depth >= MOST_LAYERS || !Number.isSafeInteger(child) || child <= 0) throw new Error('not one child');
  return lastChild(child, depth + 1);
}
