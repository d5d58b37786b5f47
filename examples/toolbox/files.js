// Files below the folders that were granted. A path is absolute, as the grant has it, or relative to the first granted
// folder. What lies elsewhere is asked of the host all the same, which then says what would have to be granted.

import { getDirectories } from 'wasi:filesystem/preopens@0.2.6';
import { decode, encode } from '../lib/utf8.js';

const MOST_BYTES = 2 << 20;
const MOST_HITS = 200;
const MOST_FILES = 5_000;
const MOST_DEPTH = 16;

/** No link is ever followed. */
const STRAIGHT = { symlinkFollow: false };
const WORDS = {
  'no-entry': 'there is no such file',
  'is-directory': 'it is a folder',
  'not-directory': 'a part of the path is no folder',
  access: 'it is not granted',
  'not-permitted': 'it is not granted',
  'read-only': 'writing is not granted',
  loop: 'links are not followed',
};

function attempt(path, action) {
  try {
    return action();
  } catch (error) {
    const code = String(error?.payload ?? error);
    throw `Cannot use "${path}": ${WORDS[code] ?? code}`;
  }
}

/** The granted folder that a path lies in, and the rest of the path. */
function locate(path) {
  const granted = getDirectories();
  if (granted.length === 0) throw 'No folder is granted: witbox permission grant files storage FOLDER';
  if (!path.startsWith('/'))
    return { folder: granted[0][0], rest: path === '' ? '.' : path, at: granted[0][1] };
  const inside = granted.find(
    ([, name]) => path === name || path.startsWith(name === '/' ? name : `${name}/`),
  );
  if (inside === undefined) {
    // Leads out of the folder, so that the denial names the place.
    const [folder, name] = granted[0];
    return { folder, rest: `${'../'.repeat(name.split('/').length - 1)}${path.slice(1)}`, at: name };
  }
  const [folder, name] = inside;
  return { folder, rest: path.slice(name.length).replace(/^\/+/, '') || '.', at: name };
}

function readAll({ folder, rest }) {
  const file = folder.openAt(STRAIGHT, rest, {}, { read: true });
  const chunks = [];
  let size = 0;
  for (;;) {
    const [chunk, atEnd] = file.read(65_536, size);
    size += chunk.length;
    if (size > MOST_BYTES) throw `it is larger than ${MOST_BYTES} bytes`;
    chunks.push(chunk);
    if (atEnd || chunk.length === 0) break;
  }
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return decode(bytes);
}

function writeAll({ folder, rest }, content) {
  const file = folder.openAt(STRAIGHT, rest, { create: true, truncate: true }, { write: true });
  const bytes = encode(content);
  for (let at = 0; at < bytes.length; ) at += Number(file.write(bytes.subarray(at, at + 65_536), at));
}

function* entries(directory) {
  const stream = directory.readDirectory();
  for (;;) {
    const entry = stream.readDirectoryEntry();
    if (entry === null || entry === undefined) return;
    yield entry;
  }
}

function list({ folder, rest }) {
  const directory = folder.openAt(STRAIGHT, rest, { directory: true }, { read: true });
  return [...entries(directory)]
    .map(({ type, name }) => {
      const isFile = type === 'regular-file';
      return {
        name,
        directory: type === 'directory',
        size: isFile ? directory.statAt(STRAIGHT, name).size : 0,
      };
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

function search({ folder, rest }, words) {
  const wanted = words.toLowerCase();
  const hits = [];
  let files = 0;
  const walk = (path, depth) => {
    const directory = folder.openAt(STRAIGHT, path, { directory: true }, { read: true });
    const sorted = [...entries(directory)].sort((a, b) => (a.name < b.name ? -1 : 1));
    for (const { type, name } of sorted) {
      if (hits.length >= MOST_HITS || files >= MOST_FILES) return;
      const below = path === '.' ? name : `${path}/${name}`;
      if (type === 'directory' && depth < MOST_DEPTH) walk(below, depth + 1);
      if (type === 'regular-file') {
        files++;
        hits.push(...hitsIn(folder, below, wanted));
      }
    }
  };
  walk(rest, 0);
  return hits.slice(0, MOST_HITS);
}

/** Files that cannot be read, or are no text, have no hits. */
function hitsIn(folder, path, wanted) {
  let content;
  try {
    content = readAll({ folder, rest: path });
  } catch {
    return [];
  }
  if (content.includes('\0')) return [];
  return content
    .split('\n')
    .flatMap((line, at) =>
      line.toLowerCase().includes(wanted) ? [{ path, line: at + 1, text: line.slice(0, 200) }] : [],
    );
}

export const folder = {
  readFile: (path) => attempt(path, () => readAll(locate(path))),
  writeFile: (path, content) => attempt(path, () => writeAll(locate(path), content)),
  listFiles: (path) => attempt(path ?? '.', () => list(locate(path ?? ''))),
  searchFiles: (words, path) => attempt(path ?? '.', () => search(locate(path ?? ''), words)),
};
