// The guest's memory as preview 1 reads and writes it. Every access is bounds-checked by a view of the memory as it is
// now (it may have grown while the guest was suspended), and lengths are checked before anything is made from them.

import type { CoreContext } from '../../engine/engine.ts';
import { E, Errno } from './errno.ts';

const MOST_PATH = 4096;
const MOST_VECTORS = 1024;
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export interface Vector {
  readonly at: number;
  readonly length: number;
}

export interface GuestMemory {
  /** Valid until the guest runs again. */
  view(): DataView;
  /** A window of the memory itself, for writing into it. */
  window(at: number, length: number): Uint8Array;
  path(at: number, length: number): string;
  vectors(at: number, count: number): Vector[];
  /** The bytes of several vectors as one, at most `most`. A copy. */
  gather(vectors: readonly Vector[], most: number): Uint8Array;
  /** Spreads bytes over vectors. */
  scatter(vectors: readonly Vector[], bytes: Uint8Array): void;
}

/** Core integers arrive signed. */
export const u32 = (value: number): number => value >>> 0;

export function createMemory(cx: CoreContext): GuestMemory {
  const window = (at: number, length: number): Uint8Array =>
    new Uint8Array(cx.memory.buffer, u32(at), u32(length));
  return {
    view: () => new DataView(cx.memory.buffer),
    window,
    path(at, length) {
      if (u32(length) > MOST_PATH) throw new Errno(E.nametoolong);
      const bytes = window(at, length).slice();
      try {
        return decoder.decode(bytes);
      } catch {
        throw new Errno(E.ilseq);
      }
    },
    vectors(at, count) {
      if (u32(count) > MOST_VECTORS) throw new Errno(E.inval);
      const view = new DataView(cx.memory.buffer, u32(at), u32(count) * 8);
      return Array.from({ length: u32(count) }, (_, i) => ({
        at: view.getUint32(i * 8, true),
        length: view.getUint32(i * 8 + 4, true),
      }));
    },
    gather(vectors, most) {
      const parts: Uint8Array[] = [];
      let left = most;
      for (const { at, length } of vectors) {
        const part = window(at, length).subarray(0, left);
        left -= part.byteLength;
        parts.push(part);
      }
      return Buffer.concat(parts);
    },
    scatter(vectors, bytes) {
      let rest = bytes;
      for (const { at, length } of vectors) {
        if (rest.byteLength === 0) return;
        const part = rest.subarray(0, length);
        window(at, length).set(part);
        rest = rest.subarray(part.byteLength);
      }
    },
  };
}

/** How much several vectors can hold, at most `most`. */
export function capacity(vectors: readonly Vector[], most: number): number {
  let sum = 0;
  for (const { length } of vectors) sum += length;
  return Math.min(sum, most);
}
