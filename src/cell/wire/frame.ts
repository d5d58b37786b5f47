// Frames: 4 bytes length of the payload, 1 byte kind, 4 bytes call, little endian, then the payload. Splits what comes
// out of a pipe into frames. A length beyond the limit is refused when its header is read, before a byte of it is kept;
// of a frame that is not yet whole only what has come is held.

import { WitboxError } from '../../core/errors.ts';
import type { WireWriter } from '../../core/wire-value.ts';

const HEADER = 9;

/** `bytes` holds more than this frame and may be used again after the call: copy what is kept. */
export type OnFrame = (kind: number, call: number, bytes: Buffer, start: number, end: number) => void;

export interface FrameSplitter {
  /** Takes the next bytes of the stream. Throws `wire-malformed`; nothing may be pushed after that. */
  push(chunk: Buffer): void;
}

/** `mostPayload` is asked for frames larger than `usual`. */
export function createFrameSplitter(
  usual: number,
  onFrame: OnFrame,
  mostPayload: () => number = () => usual,
): FrameSplitter {
  let pieces: Buffer[] = [];
  let held = 0;
  /** Bytes that must be there before it is worth looking again. */
  let wanted = HEADER;

  const checkedLength = (bytes: Buffer, at: number): number => {
    const length = bytes.readUInt32LE(at);
    const most = length > usual ? mostPayload() : usual;
    if (length > most) {
      throw new WitboxError('wire-malformed', { reason: `a frame of ${length} bytes, the limit is ${most}` });
    }
    return length;
  };

  const keep = (chunk: Buffer): void => {
    // Copied: the caller's buffer may be its one read buffer.
    pieces.push(Buffer.from(chunk));
    held += chunk.length;
  };

  const split = (bytes: Buffer): void => {
    let at = 0;
    while (bytes.length - at >= HEADER) {
      const length = checkedLength(bytes, at);
      const end = at + HEADER + length;
      if (end > bytes.length) break;
      onFrame(bytes[at + 4] as number, bytes.readUInt32LE(at + 5), bytes, at + HEADER, end);
      at = end;
    }
    pieces = [];
    held = 0;
    const left = bytes.length - at;
    wanted = left >= HEADER ? HEADER + checkedLength(bytes, at) : HEADER;
    if (left > 0) keep(bytes.subarray(at));
  };

  return {
    push(chunk) {
      if (held === 0) return split(chunk);
      if (held + chunk.length < wanted) return keep(chunk);
      split(Buffer.concat([...pieces, chunk]));
    },
  };
}

/** Begins a frame in `writer`; `endFrame` with what this gives fills in the length. */
export function beginFrame(writer: WireWriter, kind: number, call: number): number {
  const at = writer.reserve(HEADER);
  writer.bytes[at + 4] = kind;
  writer.bytes.writeUInt32LE(call, at + 5);
  return at;
}

export function endFrame(writer: WireWriter, at: number): void {
  writer.bytes.writeUInt32LE(writer.length - at - HEADER, at);
}
