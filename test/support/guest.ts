// Runs a real guest with real WASI on a real host, all in this process: the port hands values over as copies, as the
// wire does. Cells add processes and a wire to this; they are tested on their own.

import { readFile } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import type { Port, WireValue } from '../../src/core/port.ts';
import { compile, type Instance, Trap } from '../../src/engine/engine.ts';
import type { Host } from '../../src/host/host.ts';
import { GuestExit } from '../../src/wasi/cli/exit.ts';
import { createPreview1 } from '../../src/wasi/preview1/preview1.ts';
import { createWasi, type WasiOptions } from '../../src/wasi/wasi.ts';

export function directPort(host: Host): Port {
  const copy = (value: readonly WireValue[]): readonly WireValue[] => structuredClone(value);
  return {
    request: async (op, args) => structuredClone(await host.handle(op, copy(args))),
    post: (op, args) => void host.handle(op, copy(args)).catch(() => {}),
  };
}

/** `file` is a name in test/fixtures/wasi, or an absolute path. */
export async function guest(file: string, host: Host, options: WasiOptions = {}): Promise<Instance> {
  const compiled = await compile(
    await readFile(isAbsolute(file) ? file : new URL(`../fixtures/wasi/${file}`, import.meta.url)),
  );
  const port = directPort(host);
  return compiled.kind === 'component'
    ? compiled.instantiate(createWasi(port, options))
    : compiled.instantiate(createPreview1(port, options));
}

/** Runs a command to its end: what it printed, and its exit code. */
export async function runCommand(
  file: string,
  host: Host,
  options: WasiOptions = {},
): Promise<{ out: string; code: number }> {
  const parts: Uint8Array[] = [];
  const instance = await guest(file, host, {
    ...options,
    onStdout: (bytes) => parts.push(Buffer.from(bytes)),
  });
  const end = (code: number) => ({ out: Buffer.concat(parts).toString(), code });
  const component = [...instance.exports.keys()].find((name) => name.startsWith('wasi:cli/run@'));
  try {
    const result = await instance.call(component === undefined ? '_start' : [component, 'run'], []);
    return end(component !== undefined && (result as { tag: string }).tag === 'err' ? 1 : 0);
  } catch (error) {
    if (error instanceof Trap && error.cause instanceof GuestExit) return end(error.cause.code);
    throw error;
  }
}
