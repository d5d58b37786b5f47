// Content blocks and resources for people: text as text, everything else saved to a file whose name is told. A file name
// is made from a fixed table and plain characters, never from what a server wrote, and nothing is overwritten.

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ContentBlock, ResourceContents } from '../core/mcp.ts';
import type { Io } from './command.ts';
import { printable } from './printable.ts';

const ENDINGS: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'image/svg+xml': 'svg',
  'audio/wav': 'wav',
  'audio/mpeg': 'mp3',
  'audio/ogg': 'ogg',
  'application/pdf': 'pdf',
  'application/json': 'json',
  'text/plain': 'txt',
};
const MAX_TRIES = 10_000;

export interface Shown {
  readonly io: Io;
  readonly directory: string;
  /** What files are named after. */
  readonly name: string;
}

export async function showContent(blocks: readonly ContentBlock[], shown: Shown): Promise<void> {
  for (const block of blocks) {
    if (block.type === 'text') line(shown.io, block.text);
    else if (block.type === 'resource') await showResource(block.resource, shown);
    else if (block.type === 'resource_link') line(shown.io, `${block.name}: ${block.uri}`);
    else if (block.type === 'image' || block.type === 'audio')
      await save(block.data, block.mimeType, block.type, shown);
    else line(shown.io, JSON.stringify(block));
  }
}

export async function showResource(resource: ResourceContents, shown: Shown): Promise<void> {
  if ('text' in resource) line(shown.io, resource.text);
  else await save(resource.blob, resource.mimeType ?? '', 'resource', shown);
}

export function line(io: Io, text: string): void {
  const safe = io.isTerminal ? printable(text) : text;
  io.out(safe.endsWith('\n') ? safe : `${safe}\n`);
}

async function save(
  base64: string,
  type: string,
  kind: string,
  { io, directory, name }: Shown,
): Promise<void> {
  const bytes = Buffer.from(base64, 'base64');
  const essence = type.split(';')[0]!.trim().toLowerCase();
  const ending = Object.hasOwn(ENDINGS, essence) ? ENDINGS[essence]! : 'bin';
  const stem = name.replace(/[^A-Za-z0-9_-]+/g, '-').replace(/^-+|-+$/g, '') || kind;
  await mkdir(directory, { recursive: true });
  for (let count = 1; ; count++) {
    const file = join(directory, `${stem.slice(0, 100)}-${count}.${ending}`);
    try {
      await writeFile(file, bytes, { flag: 'wx' });
      io.out(`${kind} saved as ${file} (${bytes.length} bytes)\n`);
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || count === MAX_TRIES) throw error;
    }
  }
}
