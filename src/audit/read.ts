// Reads a log file line by line as it is on disk, with bounded memory whatever the file holds: a line that is longer
// than any of ours can be is given cut. What stands behind the last line break is told apart: it is no line yet.

import { createReadStream } from 'node:fs';
import { MOST_LINE } from './line.ts';

export interface RawLine {
  /** Counted from 1. */
  readonly number: number;
  readonly bytes: Buffer;
  /** False for what stands behind the last line break. */
  readonly whole: boolean;
  /** Where the next line begins. */
  readonly end: number;
}

const BREAK = 0x0a;

export async function* readLines(path: string, from = 0): AsyncGenerator<RawLine> {
  let parts: Buffer[] = [];
  let kept = 0;
  let number = 0;
  let end = from;
  const keep = (part: Buffer): void => {
    end += part.byteLength;
    const room = part.subarray(0, Math.max(0, MOST_LINE + 1 - kept));
    kept += room.byteLength;
    if (room.byteLength > 0) parts.push(room);
  };
  const take = (whole: boolean): RawLine => {
    number += 1;
    if (whole) end += 1;
    const bytes = parts.length === 1 ? parts[0]! : Buffer.concat(parts);
    parts = [];
    kept = 0;
    return { number, bytes, whole, end };
  };
  for await (const chunk of createReadStream(path, { start: from, highWaterMark: 256 * 1024 })) {
    const bytes = chunk as Buffer;
    let start = 0;
    for (let at = bytes.indexOf(BREAK); at >= 0; at = bytes.indexOf(BREAK, start)) {
      keep(bytes.subarray(start, at));
      yield take(true);
      start = at + 1;
    }
    keep(bytes.subarray(start));
  }
  if (parts.length > 0) yield take(false);
}
