// `file:` URLs and plain paths. Only regular files: a FIFO or device would hang or never end. Beside the component it
// looks for `name.tools.yaml` (descriptions of tools) and `name.policy.yaml` (the policy its author asks for).

import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { WitboxError } from '../../core/errors.ts';
import type { FetchedComponent } from './source.ts';

const MAX_SIDECAR_BYTES = 1024 * 1024;

export async function fetchFile(
  reference: string,
  directory: string,
  maxBytes: number,
): Promise<FetchedComponent> {
  const path = toPath(reference, directory);
  const bytes = await readRegularFile(path, maxBytes, reference);
  const name = basename(path);
  const stem = name.replace(/(?:\.component)?\.wasm$/i, '');
  const sidecar = async (kind: string): Promise<string | undefined> => {
    try {
      const text = await readRegularFile(
        join(dirname(path), `${stem}.${kind}.yaml`),
        MAX_SIDECAR_BYTES,
        reference,
      );
      return new TextDecoder().decode(text);
    } catch (error) {
      if ((error as Error).cause && isMissing((error as Error).cause)) return undefined;
      throw error;
    }
  };
  return {
    uri: pathToFileURL(path).href,
    name,
    bytes,
    tools: await sidecar('tools'),
    requested: await sidecar('policy'),
  };
}

function toPath(reference: string, directory: string): string {
  if (!/^file:/i.test(reference)) return resolve(directory, reference);
  try {
    return fileURLToPath(reference);
  } catch (error) {
    throw new WitboxError(
      'source-unsupported',
      { source: reference, problem: 'it is not a file: URL of this machine' },
      error,
    );
  }
}

async function readRegularFile(path: string, maxBytes: number, source: string): Promise<Uint8Array> {
  // Without O_NONBLOCK, opening a FIFO waits for a writer.
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)).catch((error: unknown) => {
    throw new WitboxError(
      'source-unreadable',
      { source, problem: isMissing(error) ? 'there is no such file' : 'it cannot be opened' },
      error,
    );
  });
  try {
    const info = await file.stat();
    if (!info.isFile())
      throw new WitboxError('source-unreadable', { source, problem: 'it is not a regular file' });
    const buffer = Buffer.alloc(Math.min(info.size, maxBytes) + 1);
    let length = 0;
    while (length < buffer.byteLength) {
      const { bytesRead } = await file.read(buffer, length, buffer.byteLength - length, length);
      if (bytesRead === 0) break;
      length += bytesRead;
    }
    if (length > maxBytes) throw new WitboxError('source-too-large', { source, limit: maxBytes });
    if (length > info.size)
      throw new WitboxError('source-unreadable', { source, problem: 'it is being written; try again' });
    return buffer.subarray(0, length);
  } finally {
    await file.close();
  }
}

function isMissing(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' || code === 'ENOTDIR';
}
