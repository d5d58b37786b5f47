// The bytes of an open file as a guest reads them. A file that its descriptor cannot change is read ahead a chunk at a
// time, and a small one comes along when it is opened: a round trip for each small read would cost far more than the
// reading. What was read ahead is thrown away as soon as the guest changes any file, so that it always sees its own
// changes.

import type { Call } from './call.ts';
import { CHUNK } from './io/input-stream.ts';

export interface FileContent {
  /** Up to `most` bytes from `offset` on; none at the end. */
  read(offset: bigint, most: number): Uint8Array | Promise<Uint8Array>;
}

interface Ahead {
  readonly start: bigint;
  readonly bytes: Uint8Array;
  /** The file ended with these bytes when they were read. */
  readonly atEnd: boolean;
  readonly changes: number;
}

const NOTHING = new Uint8Array(0);

/** `first` is the whole content, where the broker gave it with the opened file. */
export function createFileContent(
  call: Call,
  id: number,
  flags: readonly string[],
  first: Uint8Array | null,
): FileContent {
  const { port } = call;
  let ahead: Ahead | null =
    first === null ? null : { start: 0n, bytes: first, atEnd: true, changes: call.changes() };

  function readAhead(offset: bigint, most: number): Promise<Uint8Array> {
    const changes = call.changes();
    return port.request('fs.read', [id, offset, CHUNK]).then((answer) => {
      const bytes = answer as Uint8Array;
      ahead = { start: offset, bytes, atEnd: bytes.byteLength < CHUNK, changes };
      return bytes.subarray(0, most);
    });
  }

  return {
    read(offset, most) {
      if (flags.includes('write')) return port.request('fs.read', [id, offset, most]) as Promise<Uint8Array>;
      if (ahead !== null && ahead.changes === call.changes() && offset >= ahead.start) {
        const { bytes, atEnd, start } = ahead;
        const from = offset - start;
        const size = BigInt(bytes.byteLength);
        if (from < size) return bytes.subarray(Number(from), Number(from) + most);
        // Told once; asked again, the file is looked at again.
        ahead = null;
        if (atEnd && from === size) return NOTHING;
      }
      return readAhead(offset, most);
    },
  };
}
