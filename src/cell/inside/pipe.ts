// The cell's end of its one pipe, descriptor 3. Reads as frames come; writes straight to the descriptor, so that what
// is written is in the pipe before guest code runs again. A full pipe makes the cell wait: that is the back-pressure.
// When the pipe ends the broker is gone or wants no more, and the process ends at once.

import { writeSync } from 'node:fs';
import { Socket } from 'node:net';
import { WireWriter } from '../../core/wire-value.ts';
import { beginFrame, createFrameSplitter, endFrame, type OnFrame } from '../wire/frame.ts';

const DESCRIPTOR = 3;
const READ_BUFFER = 1 << 16;
/** Frames that gather beyond this are written before the turn ends. */
const WRITE_AT = 1 << 16;
const KEEP = 1 << 18;
/** The broker is trusted here; the limit only keeps a broken length from being believed. */
const MOST_FRAME = 0xffff_ffff;

export interface Pipe {
  frame(kind: number, call: number, fill?: (writer: WireWriter) => void): void;
  /** Writes what has gathered, now. */
  flush(): void;
}

/** `onTurn` is called after all frames that came together have been given to `onFrame`. */
export function openPipe(onFrame: OnFrame, onTurn: () => void, exit: () => never): Pipe {
  const splitter = createFrameSplitter(MOST_FRAME, onFrame);
  const buffer = Buffer.allocUnsafeSlow(READ_BUFFER);
  const socket = new Socket({
    fd: DESCRIPTOR,
    readable: true,
    writable: false,
    onread: {
      buffer,
      callback(size, bytes) {
        splitter.push((bytes as Buffer).subarray(0, size));
        onTurn();
        return true;
      },
    },
  });
  socket.on('end', exit);
  socket.on('close', exit);
  socket.on('error', exit);
  socket.resume();

  const sleeper = new Int32Array(new SharedArrayBuffer(4));
  let out = new WireWriter();
  let waiting = false;

  const flush = (): void => {
    waiting = false;
    let at = 0;
    while (at < out.length) {
      try {
        at += writeSync(DESCRIPTOR, out.bytes, at, out.length - at);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') exit();
        Atomics.wait(sleeper, 0, 0, 1);
      }
    }
    if (out.bytes.length > KEEP) out = new WireWriter();
    else out.length = 0;
  };

  return {
    frame(kind, call, fill) {
      const at = beginFrame(out, kind, call);
      fill?.(out);
      endFrame(out, at);
      if (out.length > WRITE_AT) flush();
      else if (!waiting) {
        waiting = true;
        process.nextTick(flush);
      }
    },
    flush,
  };
}
