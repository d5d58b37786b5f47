// Which files of a log have become too many. Before they go, a line says which ones and where the chain stood at their
// end, so that whoever verifies what is left can tell rotation from theft.

import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { listFiles } from './files.ts';
import { type Link, readLink } from './line.ts';

export interface Removal {
  readonly files: readonly string[];
  /** The number and the hash of the last line that goes. */
  readonly through: number;
  readonly hash: string;
}

/** `keep` closed files stay besides the one that was just begun, which goes on from `link` and has no line yet. */
export async function planRemoval(
  directory: string,
  keep: number | null,
  link: Link,
): Promise<Removal | null> {
  if (keep === null) return null;
  const files = await listFiles(directory);
  const excess = files.slice(0, Math.max(0, files.length - 1 - keep)).map(({ name }) => name);
  if (excess.length === 0) return null;
  const next = files[excess.length]!;
  if (next === files.at(-1)) return { files: excess, through: link.sequence, hash: link.hash };
  const first = await firstLine(join(directory, next.name));
  // What cannot be read is not removed in front of: it would look like theft.
  return first === undefined ? null : { files: excess, through: first.sequence - 1, hash: first.previous };
}

export async function removeFiles(directory: string, names: readonly string[]): Promise<void> {
  for (const name of names) await rm(join(directory, name), { force: true });
}

async function firstLine(path: string): Promise<ReturnType<typeof readLink>> {
  const file = await open(path, 'r');
  try {
    const bytes = Buffer.alloc(256);
    const { bytesRead } = await file.read(bytes, 0, bytes.byteLength, 0);
    return readLink(bytes.toString('utf8', 0, bytesRead));
  } finally {
    await file.close();
  }
}
