// Reads a file that a person named, and says plainly why it cannot be read. Must never block on pipes and devices or
// take in more than the limit.

import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { WitboxError } from '../core/errors.ts';

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'no such file',
  ENOTDIR: 'no such file',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EISDIR: 'it is a directory',
  ELOOP: 'too many symbolic links',
  ENAMETOOLONG: 'the name is too long',
};

export async function readNamedFile(file: string, maxBytes: number): Promise<Uint8Array> {
  const unreadable = (reason: string, cause?: unknown) =>
    new WitboxError('file-unreadable', { file, reason }, cause);
  if (file.includes('\0')) throw unreadable('the name has a zero byte in it');
  try {
    // Opening a pipe for reading would wait for its writer.
    await using handle = await open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const stat = await handle.stat();
    if (stat.isDirectory()) throw unreadable('it is a directory');
    if (!stat.isFile()) throw unreadable('it is not a regular file');
    if (stat.size > maxBytes) throw unreadable(`it has ${stat.size} bytes, the limit is ${maxBytes}`);
    return await handle.readFile();
  } catch (error) {
    if (error instanceof WitboxError) throw error;
    const code = (error as NodeJS.ErrnoException).code ?? '';
    throw unreadable(REASONS[code] ?? `the system says ${code || String(error)}`, error);
  }
}
