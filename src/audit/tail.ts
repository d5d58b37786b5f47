// Where a log ends: the file to write on in, and the link to go on from. Called by whoever holds the lock. A line that a
// crash left half-written was told to nobody as written: its bytes are moved aside and the file is cut there. If lines
// are missing that the head knows of, the chain goes on behind the head: the gap stays for `verify` to find.

import { randomBytes } from 'node:crypto';
import { type FileHandle, open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileName, type LogFile, listFiles, readHead } from './files.ts';
import { hashOf, type Link, MOST_LINE, readLink } from './line.ts';

export interface Tail {
  readonly file: FileHandle;
  readonly name: string;
  readonly size: number;
  readonly link: Link;
  /** What was found in need of mending, for the log to tell. */
  readonly events: readonly { readonly action: string; readonly detail: Readonly<Record<string, unknown>> }[];
}

export async function openTail(directory: string): Promise<Tail> {
  const files = await listFiles(directory);
  const head = await readHead(directory);
  const last = files.at(-1);
  if (last === undefined) return begin(directory, head);
  const file = await openFile(directory, last.name);
  try {
    const end = await readEnd(file);
    const events: Tail['events'][number][] = [];
    if (end.torn.byteLength > 0) {
      const aside = `cut-${fileName(last.first).slice(6, 22)}-${randomBytes(4).toString('hex')}.part`;
      await writeFile(join(directory, aside), end.torn, { flag: 'wx', mode: 0o600 });
      await file.truncate(end.size);
      await file.sync();
      events.push({
        action: 'audit.mended',
        detail: { file: last.name, bytes: end.tornBytes, movedTo: aside },
      });
    }
    const found = end.link ?? (await linkBefore(directory, files, last));
    const link = furthest(found, head, last);
    if (head !== undefined && head !== found && link === head)
      events.push({ action: 'audit.damaged', detail: { missingFrom: (found?.sequence ?? 0) + 1 } });
    return { file, name: last.name, size: end.size, link, events };
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** The first line of all is chained to a random number, so that no two logs begin alike. */
async function begin(directory: string, head: Link | undefined): Promise<Tail> {
  const link = head ?? { sequence: 0, hash: randomBytes(32).toString('hex') };
  const name = fileName(link.sequence + 1);
  const file = await openFile(directory, name);
  const action = head === undefined ? 'audit.begun' : 'audit.damaged';
  const detail = head === undefined ? {} : { missingFrom: 1 };
  return { file, name, size: 0, link, events: [{ action, detail }] };
}

export function openFile(directory: string, name: string): Promise<FileHandle> {
  // `a+`: what is written always goes to the end, and the end can be read.
  return open(join(directory, name), 'a+', 0o600);
}

function furthest(found: Link | undefined, head: Link | undefined, last: LogFile): Link {
  if (found === undefined) return head ?? { sequence: last.first - 1, hash: randomBytes(32).toString('hex') };
  if (head === undefined || found.sequence > head.sequence) return found;
  return found.sequence === head.sequence && found.hash === head.hash ? found : head;
}

interface End {
  /** Up to and with the last line break. */
  readonly size: number;
  /** What comes behind it; of a very long rest, its end. */
  readonly torn: Uint8Array;
  readonly tornBytes: number;
  /** The last line that can be read, if one is within reach. */
  readonly link: Link | undefined;
}

async function readEnd(file: FileHandle): Promise<End> {
  const { size } = await file.stat();
  const reach = Buffer.alloc(Math.min(size, 2 * MOST_LINE));
  const { bytesRead } = await file.read(reach, 0, reach.byteLength, size - reach.byteLength);
  const bytes = reach.subarray(0, bytesRead);
  const start = size - bytes.byteLength;
  const whole = bytes.lastIndexOf(0x0a) + 1;
  // No line is that long: zeros that a power failure left, or somebody else's work. All of the rest goes.
  const cutAt = whole === 0 ? await lastBreak(file, start) : start + whole;
  return {
    size: cutAt,
    torn: bytes.subarray(whole),
    tornBytes: size - cutAt,
    link: lastLink(bytes.subarray(0, whole)),
  };
}

function lastLink(lines: Uint8Array): Link | undefined {
  let end = lines.byteLength - 1;
  while (end > 0) {
    const start = lines.lastIndexOf(0x0a, end - 1) + 1;
    const line = lines.subarray(start, end);
    const read = readLink(Buffer.from(line).toString('utf8'));
    if (read !== undefined) return { sequence: read.sequence, hash: hashOf(line) };
    end = start - 1;
  }
  return undefined;
}

/** Looks backwards for a line break, piece by piece; 0 if there is none. */
async function lastBreak(file: FileHandle, before: number): Promise<number> {
  const piece = Buffer.alloc(MOST_LINE);
  for (let end = before; end > 0; end -= piece.byteLength) {
    const start = Math.max(0, end - piece.byteLength);
    const { bytesRead } = await file.read(piece, 0, end - start, start);
    const at = piece.subarray(0, bytesRead).lastIndexOf(0x0a);
    if (at >= 0) return start + at + 1;
  }
  return 0;
}

/** A file that was begun and has no line yet goes on from the one before. */
async function linkBefore(
  directory: string,
  files: readonly LogFile[],
  last: LogFile,
): Promise<Link | undefined> {
  for (const { name } of files.filter((one) => one !== last).reverse()) {
    const file = await open(join(directory, name), 'r');
    try {
      const { link } = await readEnd(file);
      if (link !== undefined) return link;
    } finally {
      await file.close();
    }
  }
  return undefined;
}
