// Which process holds a lock, in a form that can be asked about later: is it still running? A process id alone is not
// enough, since ids are used again; its start time and the boot and namespace it belongs to make it unique.

import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

export interface ProcessIdentity {
  readonly pid: number;
  /** Ticks since boot on Linux; null where the system does not tell. */
  readonly start: string | null;
  readonly boot: string | null;
  /** Host and pid namespace: outside of it the pid means nothing. */
  readonly place: string;
}

export function currentProcess(): ProcessIdentity {
  return {
    pid: process.pid,
    start: startOf(process.pid),
    boot: attempt(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()),
    place: `${hostname()} ${attempt(() => readlinkSync('/proc/self/ns/pid')) ?? ''}`,
  };
}

/** `unknown` for a process of another machine or container, which cannot be looked at from here. */
export function processState(
  identity: ProcessIdentity,
  self: ProcessIdentity,
): 'running' | 'gone' | 'unknown' {
  if (identity.place !== self.place) return 'unknown';
  if (identity.boot !== self.boot || !exists(identity.pid)) return 'gone';
  const start = startOf(identity.pid);
  return start !== null && identity.start !== null && start !== identity.start ? 'gone' : 'running';
}

function exists(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function startOf(pid: number): string | null {
  const stat = attempt(() => readFileSync(`/proc/${pid}/stat`, 'utf8'));
  // The name in the second field may hold spaces and brackets; the fields after its last bracket are plain.
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
}

function attempt(read: () => string): string | null {
  try {
    return read();
  } catch {
    return null;
  }
}
