// Resolves a guest's path one segment at a time from an opened directory. Links are read and expanded here, never by
// the kernel; `..` goes back along the directories actually opened and never above the descriptor it started from.
// All of it happens in one turn of the event loop, so name-changing operations of a call cannot interleave with it.

import { readlinkSync } from 'node:fs';
import { HostFailure } from '../../core/port.ts';
import type { DirectoryDescriptor } from './descriptor.ts';
import { system } from './errno.ts';
import type { Entry, Place } from './place.ts';

const MOST_LINKS = 40;
const MOST_PATH = 4096;
/** Names looked at in one walk, those of links included: each costs the broker some microseconds. */
const MOST_STEPS = 512;
/** Each level holds a descriptor of the broker while the walk lasts. */
const MOST_DEPTH = 128;

/** Where a path leads: `name` in the directory `dir`, or `dir` itself if name is null. */
export interface Target {
  readonly dir: Place;
  readonly name: string | null;
  /** The path ended in a slash or a dot: only a directory will do. */
  readonly mustBeDirectory: boolean;
  /** Directories below the descriptor's own, `dir` included. */
  readonly depth: number;
  release(): void;
}

/** Thrown for a path that leaves its descriptor; the caller records it as a denial. */
export class PathEscape extends HostFailure {
  constructor() {
    super('not-permitted');
  }
}

/** `onFailure` hears where the walk ended before its error goes out, and may throw another one in its place. */
export function walk(
  base: DirectoryDescriptor,
  path: string,
  followLast: boolean,
  onFailure: (dir: Place, name: string) => void,
): Target {
  checkPath(path);
  const stack: Place[] = [base.place];
  const releaseFrom = (keep: number): void => {
    while (stack.length > keep) stack.pop()?.close();
  };
  const progress = { name: '.' };
  try {
    return descend(stack, path, followLast, releaseFrom, progress);
  } catch (error) {
    try {
      if (!(error instanceof PathEscape)) onFailure(stack.at(-1)!, progress.name);
    } finally {
      releaseFrom(1);
    }
    throw error;
  }
}

function descend(
  stack: Place[],
  path: string,
  followLast: boolean,
  releaseFrom: (keep: number) => void,
  progress: { name: string },
): Target {
  const todo = segments(path);
  let slashed = endsAsDirectory(path);
  let links = 0;
  let steps = 0;
  const target = (name: string | null, mustBeDirectory: boolean): Target => ({
    dir: stack.at(-1)!,
    name,
    mustBeDirectory,
    depth: stack.length - 1,
    release: () => releaseFrom(1),
  });

  while (todo.length > 0) {
    const segment = todo.pop()!;
    progress.name = segment;
    if (++steps > MOST_STEPS) throw new HostFailure('name-too-long');
    if (segment === '..') {
      if (stack.length === 1) throw new PathEscape();
      stack.pop()!.close();
      continue;
    }
    const isLast = todo.length === 0;
    if (isLast && !followLast && !slashed) return target(segment, false);

    const dir = stack.at(-1)!;
    const entry = lookFor(dir, segment, isLast);
    if (entry === null) return target(segment, slashed);
    if (entry.stat.isSymbolicLink()) {
      entry.close();
      if (++links > MOST_LINKS) throw new HostFailure('loop');
      const aim = system(() => readlinkSync(dir.child(segment)));
      checkPath(aim);
      if (isLast) slashed ||= endsAsDirectory(aim);
      todo.push(...segments(aim));
      continue;
    }
    const isDirectory = entry.stat.isDirectory();
    if (isLast && (isDirectory || !slashed)) {
      entry.close();
      return target(segment, slashed);
    }
    if (!isDirectory) {
      entry.close();
      throw new HostFailure('not-directory');
    }
    stack.push(entry.enter());
    if (stack.length > MOST_DEPTH) throw new HostFailure('name-too-long');
  }
  return target(null, true);
}

/** The names of a path, last first. */
function segments(path: string): string[] {
  return path
    .split('/')
    .filter((name) => name !== '' && name !== '.')
    .reverse();
}

const endsAsDirectory = (path: string): boolean => /(?:^|\/)\.?$/.test(path);

/** The last segment may be missing: the operation decides whether that is an error. */
function lookFor(dir: Place, name: string, mayBeMissing: boolean): Entry | null {
  try {
    return dir.look(name);
  } catch (error) {
    if (mayBeMissing && error instanceof HostFailure && error.code === 'no-entry') return null;
    throw error;
  }
}

function checkPath(path: string): void {
  if (path === '') throw new HostFailure('no-entry');
  if (path.length > MOST_PATH) throw new HostFailure('name-too-long');
  if (path.includes('\0')) throw new HostFailure('invalid');
  if (path.startsWith('/')) throw new PathEscape();
  // On Windows these would be separators or drive letters.
  if (process.platform === 'win32' && /[\\:]/.test(path)) throw new HostFailure('invalid');
}
