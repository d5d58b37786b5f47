// Bytes → lines, whatever way they are cut: split, joined, with CRLF or blank between. A line that grows beyond the
// limit is dropped up to its end and reported once, so memory stays bounded and the next line is read as usual.

const NEWLINE = 0x0a;

export interface LineReader {
  push(chunk: Buffer): void;
  /** End of input: what is left is a line too. */
  end(): void;
}

export function createLineReader(
  maxBytes: number,
  onLine: (line: Buffer) => void,
  onTooLong: () => void,
): LineReader {
  let parts: Buffer[] = [];
  let size = 0;
  let dropping = false;

  const keep = (part: Buffer): void => {
    if (dropping) return;
    size += part.length;
    if (size <= maxBytes) {
      parts.push(part);
      return;
    }
    dropping = true;
    parts = [];
    onTooLong();
  };
  const finish = (last: Buffer): void => {
    // The common case, a line within one chunk, is not copied.
    if (parts.length === 0 && !dropping && last.length <= maxBytes) onLine(last);
    else {
      keep(last);
      if (!dropping) onLine(Buffer.concat(parts));
    }
    parts = [];
    size = 0;
    dropping = false;
  };

  return {
    push(chunk) {
      let start = 0;
      for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
        finish(chunk.subarray(start, end));
        start = end + 1;
      }
      if (start < chunk.length) keep(chunk.subarray(start));
    },
    end() {
      if (size > 0) finish(Buffer.alloc(0));
    },
  };
}
