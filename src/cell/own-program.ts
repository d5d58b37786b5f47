// The program that runs in a cell, and what it may read: the code of Witbox and nothing else. Run from source, the
// built program is taken if nothing has changed since it was built: Node reads it several times faster.

import { readdirSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';

export interface Program {
  readonly entry: string;
  /** Folders and files that the cell may read. */
  readonly readable: readonly string[];
}

/** Folders whose code runs in a cell. */
const IN_CELLS = ['core', 'wit', 'engine', 'wasi', 'cell'];

export function ownProgram(name: 'main' | 'probe'): Program {
  const code = join(import.meta.dirname, '..');
  if (extname(import.meta.filename) === '.js') return program(code, name, '.js');
  const built = join(code, '..', 'dist');
  return isCurrent(code, join(built, 'cell', 'inside', `${name}.js`))
    ? program(built, name, '.js')
    : program(code, name, '.ts');
}

function program(code: string, name: string, extension: string): Program {
  return {
    entry: join(code, 'cell', 'inside', `${name}${extension}`),
    // The package.json says how its code is to be read.
    readable: [code, join(code, '..', 'package.json')],
  };
}

function isCurrent(source: string, built: string): boolean {
  try {
    const since = statSync(built).mtimeMs;
    return IN_CELLS.every((folder) =>
      readdirSync(join(source, folder), { recursive: true, withFileTypes: true }).every(
        (entry) =>
          !entry.isFile() ||
          entry.name.endsWith('.test.ts') ||
          statSync(join(entry.parentPath, entry.name)).mtimeMs <= since,
      ),
    );
  } catch {
    return false;
  }
}
