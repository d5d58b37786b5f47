// Bytes that come in pieces, gathered in one buffer: however small the pieces are, they cost what they hold. A list of
// them would cost a hundred times as much for pieces of one byte, and empty ones would have no end.

export interface Gathering {
  readonly size: number;
  add(piece: Buffer): void;
  /** All of it; nothing is left. */
  take(): Buffer;
}

const NOTHING = Buffer.alloc(0);
const LEAST = 16 * 1024;

export function createGathering(): Gathering {
  let bytes: Buffer = NOTHING;
  let size = 0;
  return {
    get size() {
      return size;
    },
    add(piece) {
      if (size === 0) {
        // What comes whole, as nearly everything does, is not copied.
        bytes = piece;
        size = piece.length;
        return;
      }
      const needed = size + piece.length;
      // The first piece is full: from the second on there is room to spare.
      if (needed > bytes.length) {
        const roomier = Buffer.allocUnsafe(Math.max(LEAST, 2 * needed));
        bytes.copy(roomier, 0, 0, size);
        bytes = roomier;
      }
      piece.copy(bytes, size);
      size = needed;
    },
    take() {
      const whole = bytes.subarray(0, size);
      bytes = NOTHING;
      size = 0;
      return whole;
    },
  };
}
