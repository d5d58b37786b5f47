// Walks the whole chain, file by file: every line must carry the next number and the hash of the line before. Says where
// it is broken and how: a line that was changed, lines that are missing, lines in another order, an end that was cut.
// Only reads, and takes no lock: a server may go on writing.

import { join } from 'node:path';
import { type LogFile, listFiles, readHead } from './files.ts';
import { hashOf, type Link, MOST_LINE, readLink } from './line.ts';
import { readLines } from './read.ts';

export interface Fault {
  readonly file: string;
  /** 0 where it is about the file as a whole. */
  readonly line: number;
  readonly problem: string;
}

export interface Verdict {
  readonly ok: boolean;
  readonly files: number;
  readonly lines: number;
  /** Numbers of the first and the last line. */
  readonly first: number;
  readonly last: number;
  readonly hash: string;
  /** How many lines in front were removed by rotation. */
  readonly removed: number;
  /** Bytes of a line that is being written, or that a crash cut off: the next start moves them aside. */
  readonly unfinished: number;
  readonly faults: readonly Fault[];
}

const MOST_FAULTS = 100;

/** `expect` is a hash that was noted elsewhere: the chain must have a line with it. */
export async function verify(directory: string, expect?: string): Promise<Verdict> {
  for (let tries = 3; ; tries -= 1) {
    try {
      return await walkAll(directory, expect);
    } catch (error) {
      // Rotation took a file away in the meantime.
      if (tries === 0 || (error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
}

async function walkAll(directory: string, expect: string | undefined): Promise<Verdict> {
  // Before the files: whatever is written from now on can only make them longer.
  const head = await readHead(directory);
  const files = await listFiles(directory);
  const walk = createWalk(head, expect);
  let unfinished = 0;
  for (const file of files) unfinished = await walkFile(directory, file, files.at(-1)!, walk);
  return { ...walk.finish(files), files: files.length, unfinished };
}

async function walkFile(directory: string, file: LogFile, last: LogFile, walk: Walk): Promise<number> {
  walk.begin(file);
  for await (const { number, bytes, whole } of readLines(join(directory, file.name))) {
    if (whole) walk.line(file.name, number, bytes);
    else if (file === last) return bytes.byteLength;
    else walk.fault(file.name, number, 'the line is cut off');
  }
  return 0;
}

interface Walk {
  begin(file: LogFile): void;
  line(file: string, number: number, bytes: Buffer): void;
  fault(file: string, line: number, problem: string): void;
  finish(files: readonly LogFile[]): Omit<Verdict, 'files' | 'unfinished'>;
}

function createWalk(head: Link | undefined, expect: string | undefined): Walk {
  const faults: Fault[] = [];
  const removals = new Set<string>();
  let start: { readonly file: string; readonly sequence: number; readonly previous: string } | null = null;
  let at: Link | null = null;
  let lines = 0;
  let headSeen = head === undefined;
  let expectSeen = expect === undefined;
  let opening: LogFile | null = null;

  const fault = (file: string, line: number, problem: string): void => {
    if (faults.length < MOST_FAULTS) faults.push({ file, line, problem });
  };

  function judge(sequence: number, previous: string): string | null {
    if (at === null) return null;
    if (sequence > at.sequence + 1)
      return `lines ${at.sequence + 1} to ${sequence - 1} are missing in front of line ${sequence}`;
    if (sequence <= at.sequence)
      return `line ${sequence} comes after line ${at.sequence}: the order was changed`;
    return previous === at.hash
      ? null
      : `line ${at.sequence} was changed: line ${sequence} knows it by another hash`;
  }

  return {
    begin(file) {
      opening = file;
    },
    line(file, number, bytes) {
      lines += 1;
      const text = bytes.byteLength > MOST_LINE ? '' : bytes.toString('utf8');
      const read = readLink(text);
      if (read === undefined) return fault(file, number, 'the line is not one of this log');
      const { sequence, previous } = read;
      if (opening !== null && opening.first !== sequence)
        fault(file, number, `the file is named for line ${opening.first} and begins with line ${sequence}`);
      opening = null;
      const problem = judge(sequence, previous);
      if (problem !== null) fault(file, number, problem);
      start ??= { file, sequence, previous };
      at = { sequence, hash: hashOf(bytes) };
      const here = at;
      if (head?.sequence === sequence) headSeen ||= head.hash === here.hash;
      if (expect !== undefined) expectSeen ||= here.hash === expect || previous === expect;
      if (text.includes('"action":"audit.removed"')) removals.add(removalOf(text));
    },
    fault,
    finish(files) {
      const lastFile = files.at(-1)?.name ?? 'head.json';
      const last = at as Link | null;
      if (start !== null && start.sequence > 1 && !removals.has(`${start.sequence - 1} ${start.previous}`)) {
        fault(
          start.file,
          1,
          `lines 1 to ${start.sequence - 1} are missing, and no line says that rotation removed them`,
        );
      }
      if (head !== undefined && !headSeen) fault(lastFile, 0, headProblem(head, last));
      if (!expectSeen) fault(lastFile, 0, `no line has the expected hash ${expect}`);
      return {
        ok: faults.length === 0,
        lines,
        first: start?.sequence ?? 0,
        last: last?.sequence ?? 0,
        hash: last?.hash ?? '',
        removed: Math.max(0, (start?.sequence ?? 1) - 1),
        faults,
      };
    },
  };
}

function headProblem(head: Link, last: Link | null): string {
  const end = last?.sequence ?? 0;
  return end < head.sequence
    ? `the end was cut off: lines ${end + 1} to ${head.sequence} are missing`
    : `line ${head.sequence} is not the one that was written: head.json knows it by another hash`;
}

/** Only a line that is what it says counts; a text inside of another field does not. */
function removalOf(text: string): string {
  try {
    const { kind, action, detail } = JSON.parse(text);
    return kind === 'event' && action === 'audit.removed' ? `${detail.through} ${detail.hash}` : '';
  } catch {
    return '';
  }
}
