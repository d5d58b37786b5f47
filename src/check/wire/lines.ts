// Splits a byte stream at newlines without ever holding more than one bounded line, and notices bytes that are not
// UTF-8. Used for what servers print; a line that never ends is reported, not collected.

const MAX_LINE = 8 * 1024 * 1024;

export interface LineSink {
  line(text: string): void;
  invalidUtf8(): void;
  endless(): void;
}

export function createLineSplitter(sink: LineSink): { push(chunk: Uint8Array): void; finish(): void } {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const lenient = new TextDecoder('utf-8');
  let pieces: Uint8Array[] = [];
  let held = 0;
  let stopped = false;

  function emit(): void {
    const bytes = Buffer.concat(pieces, held);
    pieces = [];
    held = 0;
    try {
      sink.line(decoder.decode(bytes));
    } catch {
      sink.invalidUtf8();
      sink.line(lenient.decode(bytes));
    }
  }

  return {
    push(chunk) {
      let start = 0;
      while (!stopped) {
        const end = chunk.indexOf(10, start);
        const piece = chunk.subarray(start, end === -1 ? chunk.length : end);
        pieces.push(piece);
        held += piece.length;
        if (held > MAX_LINE) {
          stopped = true;
          pieces = [];
          sink.endless();
          return;
        }
        if (end === -1) return;
        emit();
        start = end + 1;
      }
    },
    finish() {
      if (!stopped && held > 0) emit();
    },
  };
}
