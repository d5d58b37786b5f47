// Reads back what was recorded: lines that fit a filter, oldest first; the last few; and those to come. One line is held
// at a time, however long the log is. Lines that cannot be read are passed over: to find those is what `verify` is for.

import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isJsonObject, type JsonObject } from '../core/json.ts';
import { type LogFile, listFiles } from './files.ts';
import { MOST_LINE } from './line.ts';
import { readLines } from './read.ts';

export interface Recorded {
  /** The line as it stands in the file. */
  readonly text: string;
  readonly fields: JsonObject;
}

/** Every test that is there must pass. */
export interface Filter {
  readonly caller?: ((text: string) => boolean) | undefined;
  readonly target?: ((text: string) => boolean) | undefined;
  readonly component?: ((text: string) => boolean) | undefined;
  readonly outcome?: ((text: string) => boolean) | undefined;
  readonly since?: Date | undefined;
  readonly until?: Date | undefined;
}

const POLL_MS = 200;

export async function* query(directory: string, filter: Filter): AsyncGenerator<Recorded> {
  for (const file of await listFiles(directory)) {
    // Rotation may have taken it away in the meantime.
    if ((await sizeOf(directory, file)) === 0) continue;
    for await (const { bytes, whole } of readLines(join(directory, file.name))) {
      const line = whole ? read(bytes) : undefined;
      if (line !== undefined && fits(line.fields, filter)) yield line;
    }
  }
}

/** The last lines, oldest first, and where they end. */
export async function last(
  directory: string,
  count: number,
): Promise<{ readonly lines: readonly Recorded[]; readonly end: Place | null }> {
  const files = await listFiles(directory);
  let lines: Recorded[] = [];
  let end: Place | null = null;
  for (const file of files.toReversed()) {
    if (end !== null && lines.length >= count) break;
    const found: Recorded[] = [];
    let offset = 0;
    for await (const raw of readLines(join(directory, file.name))) {
      if (!raw.whole) break;
      offset = raw.end;
      const line = read(raw.bytes);
      if (line !== undefined) found.push(line);
      if (found.length > 2 * count) found.splice(0, count);
    }
    lines = [...found, ...lines].slice(-count);
    end ??= { file, offset };
  }
  return { lines: count === 0 ? [] : lines, end };
}

export interface Place {
  readonly file: LogFile;
  readonly offset: number;
}

/** What is written from here on, until the signal. */
export async function* follow(
  directory: string,
  from: Place | null,
  signal: AbortSignal,
): AsyncGenerator<Recorded> {
  let place = from;
  while (!signal.aborted) {
    place ??= await firstPlace(directory);
    if (place !== null) {
      // Looked at before the lines are read: whatever was written to this file is read before the next one is.
      const next = await fileAfter(directory, place.file);
      if ((await sizeOf(directory, place.file)) > place.offset)
        for await (const raw of readLines(join(directory, place.file.name), place.offset)) {
          if (!raw.whole) break;
          place = { file: place.file, offset: raw.end };
          const line = read(raw.bytes);
          if (line !== undefined) yield line;
        }
      if (next !== undefined) {
        place = { file: next, offset: 0 };
        continue;
      }
    }
    await sleep(POLL_MS, undefined, { signal }).catch(() => {});
  }
}

async function firstPlace(directory: string): Promise<Place | null> {
  const file = (await listFiles(directory))[0];
  return file === undefined ? null : { file, offset: 0 };
}

async function fileAfter(directory: string, { first }: LogFile): Promise<LogFile | undefined> {
  return (await listFiles(directory)).find((file) => file.first > first);
}

/** 0 for a file that rotation has removed. */
async function sizeOf(directory: string, { name }: LogFile): Promise<number> {
  return (await stat(join(directory, name)).catch(() => undefined))?.size ?? 0;
}

function read(bytes: Buffer): Recorded | undefined {
  if (bytes.byteLength > MOST_LINE) return undefined;
  const text = bytes.toString('utf8');
  try {
    const fields: unknown = JSON.parse(text);
    return isJsonObject(fields) ? { text, fields } : undefined;
  } catch {
    return undefined;
  }
}

function fits(fields: JsonObject, filter: Filter): boolean {
  for (const name of ['caller', 'target', 'component', 'outcome'] as const) {
    const value = fields[name];
    if (filter[name] && !(typeof value === 'string' && filter[name](value))) return false;
  }
  if (filter.since === undefined && filter.until === undefined) return true;
  const time = Date.parse(String(fields.time));
  return (
    (filter.since === undefined || time >= filter.since.getTime()) &&
    (filter.until === undefined || time <= filter.until.getTime())
  );
}
