// What goes to a cell: frames gather in one buffer and leave together when the events of this turn have been worked off,
// so that calls of many connections travel together: a write wakes another process, and that costs more than a call.
// After `close()` frames go nowhere.

import type { Socket } from 'node:net';
import { WireWriter } from '../../core/wire-value.ts';
import { beginFrame, endFrame } from './frame.ts';

/** Room that is kept between writes; the buffer of a large component is let go. */
const KEEP = 1 << 18;

export interface Outbox {
  frame(kind: number, call: number, fill?: (writer: WireWriter) => void): void;
  close(): void;
}

export function createOutbox(pipe: Socket): Outbox {
  let out = new WireWriter();
  let waiting = false;
  let open = true;

  const flush = (): void => {
    waiting = false;
    if (!open) return;
    const bytes = out.bytes.subarray(0, out.length);
    if (out.length > KEEP) {
      pipe.write(bytes);
      out = new WireWriter();
    } else {
      pipe.write(Buffer.from(bytes));
      out.length = 0;
    }
  };

  return {
    frame(kind, call, fill) {
      if (!open) return;
      const at = beginFrame(out, kind, call);
      fill?.(out);
      endFrame(out, at);
      if (waiting) return;
      waiting = true;
      setImmediate(flush);
    },
    close() {
      open = false;
    },
  };
}
