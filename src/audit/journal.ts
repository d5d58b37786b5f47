// The writer of one log folder: chains bodies to lines, appends them in one write, begins a new file when one is full,
// and takes its turn with other processes. Written means handed to the system; the disk is told every second, and the
// head after it. After any failure the end of the log is read again before the next line: never written on blindly.

import { writeSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { fileName, sweep, writeHead } from './files.ts';
import { chain, eventBody, type Link } from './line.ts';
import type { AuditOptions } from './options.ts';
import { planRemoval, removeFiles } from './rotation.ts';
import { openFile, openTail, type Tail } from './tail.ts';
import { createTurn, type WithLock } from './turn.ts';

export interface JournalDeps {
  readonly withLock: WithLock;
  readonly now: () => Date;
  readonly limits: () => Pick<AuditOptions, 'rotateBytes' | 'keep'>;
  /** What happened to the files, for the operator's log. */
  readonly onEvent: (event: string, fields: Readonly<Record<string, unknown>>) => void;
  /** What was written may not have reached the disk. */
  readonly onSyncFailure: (error: unknown) => void;
}

export interface Journal {
  /** Takes from the list what was written: with an error, what is left was not. */
  append(bodies: string[]): Promise<void>;
  /** The last line that was written. */
  head(): Link | null;
  /** What is written is on the disk then, and another process may write. */
  close(): Promise<void>;
}

const LOOK_MS = 100;
const SYNC_MS = 1_000;
/** A lock that another machine cannot look behind counts as abandoned after a minute: none is held that long. */
const HOLD_MS = 20_000;
/** Number, hash and punctuation in front of a body. */
const FRAME_BYTES = 120;

export function createJournal(directory: string, deps: JournalDeps): Journal {
  const turn = createTurn(directory, deps.withLock);
  let tail: { file: Tail['file']; name: string; size: number; link: Link } | null = null;
  let head: Link | null = null;
  let unsynced = false;
  let looking: NodeJS.Timeout | null = null;
  let lastSync = 0;
  let heldSince = 0;
  /** What was mended or found missing, until a line says so: on a full disk that may take several attempts. */
  const untold = new Map<string, Readonly<Record<string, unknown>>>();
  let queue: Promise<unknown> = Promise.resolve();
  let syncing: Promise<void> = Promise.resolve();

  /** One after the other: nothing below ever runs twice at a time. */
  function inTurn<T>(action: () => Promise<T>): Promise<T> {
    const next = queue.then(action);
    queue = next.catch(() => {});
    return next;
  }

  async function open(): Promise<void> {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    if (await turn.take()) heldSince = performance.now();
    startLooking();
    await sweep(directory);
    const { events, ...found } = await openTail(directory);
    tail = found;
    for (const { action, detail } of events) untold.set(action, detail);
    await writeAll([...untold].map(([action, detail]) => eventBody(deps.now(), action, detail)));
    for (const [action, detail] of untold) deps.onEvent(action, detail);
    untold.clear();
  }

  async function write(lines: readonly string[], link: Link): Promise<void> {
    const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''));
    const { file, size } = tail!;
    try {
      // An append to the system's cache takes a tenth of what handing it to another thread and back takes.
      for (let at = 0; at < bytes.byteLength; ) at += writeSync(file.fd, bytes, at, bytes.byteLength - at);
    } catch (error) {
      await file.truncate(size).catch(() => {});
      throw error;
    }
    tail!.size += bytes.byteLength;
    tail!.link = link;
    head = link;
    unsynced = true;
  }

  /** What was written is taken from the list. */
  async function writeAll(bodies: string[]): Promise<void> {
    while (bodies.length > 0) {
      const room = deps.limits().rotateBytes - tail!.size;
      const lines: string[] = [];
      let link = tail!.link;
      let bytes = 0;
      for (const body of bodies) {
        bytes += FRAME_BYTES + Buffer.byteLength(body);
        // A line that is larger than a file may be gets a file of its own.
        if (bytes > room && (tail!.size > 0 || lines.length > 0)) break;
        const next = chain(link, body);
        lines.push(next.text);
        link = next.link;
      }
      if (lines.length > 0) await write(lines, link);
      bodies.splice(0, lines.length);
      if (bodies.length > 0) await rotate();
    }
  }

  async function rotate(): Promise<void> {
    await sync();
    await tail!.file.close();
    const { link } = tail!;
    const name = fileName(link.sequence + 1);
    tail = null;
    tail = { file: await openFile(directory, name), name, size: 0, link };
    deps.onEvent('audit.rotated', { file: name, ...link });
    const removal = await planRemoval(directory, deps.limits().keep, link);
    if (removal === null) return;
    // The line that says so comes first: a crash in between leaves files too many, never too few.
    const told = chain(link, eventBody(deps.now(), 'audit.removed', { ...removal }));
    await write([told.text], told.link);
    await removeFiles(directory, removal.files);
  }

  function sync(): Promise<void> {
    syncing = syncing.then(async () => {
      if (!tail || !unsynced) return;
      const { file, link, name } = tail;
      unsynced = false;
      lastSync = performance.now();
      try {
        await file.datasync();
        await writeHead(directory, link);
        if ((await file.stat()).nlink === 0) throw new Error(`${name} has been removed`);
      } catch (error) {
        unsynced = true;
        throw error;
      }
    });
    const done = syncing;
    syncing = syncing.catch(() => {});
    return done;
  }

  /** Lets go of everything, so that the next line begins by reading where the log ends. */
  async function letGo(): Promise<void> {
    const file = tail?.file;
    tail = null;
    unsynced = false;
    await file?.close().catch(() => {});
  }

  async function release(): Promise<void> {
    if (looking) clearInterval(looking);
    looking = null;
    try {
      await sync();
    } finally {
      await letGo();
      await turn.giveBack();
    }
  }

  function startLooking(): void {
    lastSync = performance.now();
    looking ??= setInterval(look, LOOK_MS).unref();
  }

  function look(): void {
    const due = performance.now() - lastSync >= SYNC_MS;
    const failed = (error: unknown): void => {
      void inTurn(letGo);
      deps.onSyncFailure(error);
    };
    const idle = due && !unsynced;
    const long = performance.now() - heldSince > HOLD_MS;
    if (idle || long || turn.wanted()) void inTurn(release).catch(failed);
    else if (due) void sync().catch(failed);
  }

  return {
    append: (bodies) =>
      inTurn(async () => {
        try {
          if (tail === null) await open();
          await writeAll(bodies);
        } catch (error) {
          await letGo();
          throw error;
        }
      }),
    head: () => head,
    close: () => inTurn(release),
  };
}
