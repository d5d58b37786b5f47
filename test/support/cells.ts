// What tests of cells share: fixtures, hosts, and processes that can be looked for by their id.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CallHost } from '../../src/cell/active-call.ts';
import type { WireValue } from '../../src/core/port.ts';

export const fixture = (name: string): Uint8Array =>
  readFileSync(join(import.meta.dirname, '..', 'fixtures', 'cell', name));

/** Grants nothing and answers nothing of use. */
export const bareHost = (): CallHost => ({ handle: async () => [[], [], [], []], close: async () => {} });

/** A host that answers when it is told to, and counts. */
export function heldHost(): CallHost & { asked: Promise<void>; release(): void; closed: boolean } {
  const asked = Promise.withResolvers<void>();
  const held = Promise.withResolvers<WireValue>();
  return {
    asked: asked.promise,
    closed: false,
    release: () => held.resolve([[['A', 'b']], [], [], []]),
    handle() {
      asked.resolve();
      return held.promise;
    },
    async close() {
      this.closed = true;
    },
  };
}

/** Whether a process is there and has not ended; one that waits to be collected by its parent has. */
export function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'latin1'));
  } catch {
    return false;
  }
}

export async function until(condition: () => boolean, what: string, ms = 10_000): Promise<void> {
  const end = performance.now() + ms;
  while (!condition()) {
    if (performance.now() > end) throw new Error(`Not within ${ms} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** The processes that were started by a process, by theirs, and so on. */
export function descendants(pid: number): number[] {
  try {
    const own = readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').trim().split(' ').filter(Boolean);
    return own.map(Number).flatMap((child) => [child, ...descendants(child)]);
  } catch {
    return [];
  }
}
