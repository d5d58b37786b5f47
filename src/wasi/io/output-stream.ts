// The guest's end of a stream of bytes that go to the broker. What was written and not yet taken counts against a budget
// of one chunk; `check-write` tells what is left of it. Pushes happen one after the other, in order.

import { HostFailure } from '../../core/port.ts';
import { hostResource } from '../../engine/engine.ts';
import { CHUNK } from './input-stream.ts';
import { createSignal, type Pollable } from './pollable.ts';

export interface OutputStream extends Pollable {
  /** Bytes that may be written now; null once closed. Throws what an earlier write failed with, once. */
  budget(): number | null;
  /** Takes at most `budget()` bytes. */
  write(bytes: Uint8Array): void;
  /** Waits until all that was written has been taken, or failed. */
  flushed(): Promise<void>;
  close(): void;
}

interface OutputOptions {
  /** Nothing returned: taken at once. */
  push(bytes: Uint8Array): Promise<void> | undefined;
  close?(): void;
}

export const outputStreamResource = hostResource({
  name: 'output-stream',
  drop: (stream) => (stream as OutputStream).close(),
});

export function createOutputStream({ push, close }: OutputOptions): OutputStream {
  const signal = createSignal();
  let pending = 0;
  let tail: Promise<void> | null = null;
  let failure: HostFailure | null = null;
  let broken = false;

  /** Counts bytes as pending until their push is settled; the first failure closes the stream. */
  const track = (taken: Promise<void>, size: number): void => {
    pending += size;
    const current: Promise<void> = taken
      .catch((error: unknown) => {
        failure ??= error instanceof HostFailure ? error : new HostFailure('io');
        broken = true;
      })
      .then(() => {
        pending -= size;
        if (tail === current) tail = null;
        signal.wake();
      });
    tail = current;
  };

  return {
    budget() {
      if (failure !== null) {
        const thrown = failure;
        failure = null;
        throw thrown;
      }
      return broken ? null : CHUNK - pending;
    },
    write(bytes) {
      if (bytes.byteLength === 0) return;
      if (tail === null) {
        // The usual case: nothing is under way, and what takes its bytes at once costs no promise.
        const taken = push(bytes);
        if (taken !== undefined) track(taken, bytes.byteLength);
      } else {
        track(
          tail.then(() => (broken ? undefined : push(bytes))),
          bytes.byteLength,
        );
      }
    },
    flushed: () => tail ?? Promise.resolve(),
    ready: () => failure !== null || broken || pending < CHUNK,
    subscribe: signal.subscribe,
    close() {
      // What was written before the guest let go still arrives.
      if (tail === null) close?.();
      else void tail.then(() => close?.());
    },
  };
}
