// The guest's end of a stream of bytes that come from the broker. Bytes are pulled when asked for, one pull at a time,
// so the broker never sends more than somebody is waiting for.

import { HostFailure } from '../../core/port.ts';
import { hostResource } from '../../engine/engine.ts';
import { createSignal, type Pollable } from './pollable.ts';

/** Bytes moved by one operation, at most: what the broker accepts and gives at once. */
export const CHUNK = 1 << 16;

export interface InputStream extends Pollable {
  /** Up to `most` bytes at hand; empty if none are. Null once the stream is closed. Throws what it failed with, once. */
  take(most: number): Uint8Array | null;
  /** Starts to fetch `most` bytes or so, if there are none at hand; waits until `take` has something to say. */
  fill(most: number): Promise<void>;
  /** Reading always waits, as for files, which are never "not ready". */
  readonly waits: boolean;
  close(): void;
}

interface InputOptions {
  /** Gives some bytes, none at the end. */
  pull(most: number): Promise<Uint8Array>;
  readonly waits?: boolean;
  close?(): void;
}

export const inputStreamResource = hostResource({
  name: 'input-stream',
  drop: (stream) => (stream as InputStream).close(),
});

const NOTHING = new Uint8Array(0);

export function createInputStream({ pull, waits = false, close }: InputOptions): InputStream {
  const signal = createSignal();
  let buffer = NOTHING;
  let failure: HostFailure | null = null;
  let ended = false;
  let pulling: Promise<void> | null = null;

  const fill = (most: number): Promise<void> => {
    if (ready()) return Promise.resolve();
    pulling ??= pull(Math.min(Math.max(most, 1), CHUNK))
      .then(
        (bytes) => {
          if (bytes.byteLength === 0) ended = true;
          else buffer = bytes as Uint8Array<ArrayBuffer>;
        },
        (error: unknown) => {
          failure = error instanceof HostFailure ? error : new HostFailure('io');
        },
      )
      .finally(() => {
        pulling = null;
        signal.wake();
      });
    return pulling;
  };
  const ready = (): boolean => buffer.byteLength > 0 || ended || failure !== null;

  return {
    waits,
    take(most) {
      if (buffer.byteLength > 0) {
        const taken = buffer.subarray(0, most);
        buffer = buffer.subarray(taken.byteLength);
        return taken;
      }
      if (failure !== null) {
        const thrown = failure;
        failure = null;
        ended = true;
        throw thrown;
      }
      if (!ended) return NOTHING;
      // The end of a file is where it is now: asked again, it is looked at again.
      if (waits) ended = false;
      return null;
    },
    fill,
    ready,
    subscribe(wake) {
      const leave = signal.subscribe(wake);
      void fill(CHUNK);
      return leave;
    },
    close() {
      ended = true;
      buffer = NOTHING;
      close?.();
    },
  };
}

/** A stream over bytes that are here already. */
export function streamOf(bytes: Uint8Array): InputStream {
  let given = false;
  return createInputStream({
    async pull() {
      const now = given ? NOTHING : bytes;
      given = true;
      return now;
    },
    waits: true,
  });
}
