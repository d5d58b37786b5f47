// wasi:cli/stdin, stdout, stderr and terminal-*. Output goes to the log of the call (or to whoever asked for it), never
// to the broker's own streams; there is no terminal.

import { type HostInstance, hostResource } from '../../engine/engine.ts';
import type { Call } from '../call.ts';
import { inputStreamResource, streamOf } from '../io/input-stream.ts';
import { createOutputStream, type OutputStream, outputStreamResource } from '../io/output-stream.ts';

const DEFAULT_LOG_BYTES = 1 << 20;

export interface Stdio {
  readonly stdin: HostInstance;
  readonly stdout: HostInstance;
  readonly stderr: HostInstance;
}

/** Sends output to the broker as long as the log has room; the rest is dropped here already. */
export function createPrinter({ port, options }: Call): (op: string, bytes: Uint8Array) => void {
  let left = options.logBytes ?? DEFAULT_LOG_BYTES;
  return (op, bytes) => {
    if (op === 'log.stdout' && options.onStdout !== undefined) return options.onStdout(bytes);
    const part = bytes.subarray(0, left);
    left -= part.byteLength;
    if (part.byteLength > 0) port.post(op, [part]);
  };
}

export function createStdio(call: Call): Stdio {
  const print = createPrinter(call);
  const output = (op: string): OutputStream =>
    createOutputStream({
      push(bytes) {
        print(op, bytes);
        return undefined;
      },
    });
  const input = streamOf(call.options.stdin ?? new Uint8Array(0));
  // One standard input, however often a guest asks for it: letting go of one handle must not end the others.
  const shared = { ...input, close() {} };
  return {
    stdin: { 'input-stream': inputStreamResource, 'get-stdin': () => shared },
    stdout: { 'output-stream': outputStreamResource, 'get-stdout': () => output('log.stdout') },
    stderr: { 'output-stream': outputStreamResource, 'get-stderr': () => output('log.stderr') },
  };
}

const terminalInput = hostResource({ name: 'terminal-input' });
const terminalOutput = hostResource({ name: 'terminal-output' });

export function createTerminals(): Readonly<Record<string, HostInstance>> {
  const none = (): undefined => undefined;
  return {
    'terminal-input': { 'terminal-input': terminalInput },
    'terminal-output': { 'terminal-output': terminalOutput },
    'terminal-stdin': { 'terminal-input': terminalInput, 'get-terminal-stdin': none },
    'terminal-stdout': { 'terminal-output': terminalOutput, 'get-terminal-stdout': none },
    'terminal-stderr': { 'terminal-output': terminalOutput, 'get-terminal-stderr': none },
  };
}
