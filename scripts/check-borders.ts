// Holds the import table of ARCHITECTURE.md: fails with one line per import that points the wrong way.

import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';

const root = resolve(import.meta.dirname, '..');
const source = join(root, 'src');

const allowed = new Map<string, Set<string> | 'everything'>();
for (const line of readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8').split('\n')) {
  const cells = line.match(/^\| `([a-z]+)`\s*\|.*\|([a-z, ]*)\|$/);
  if (!cells) continue;
  const names = cells[2]!.trim();
  allowed.set(cells[1]!, names === 'everything' ? 'everything' : new Set(names.split(/,\s*/)));
}

const problems: string[] = [];
for (const entry of readdirSync(source, { recursive: true, withFileTypes: true })) {
  if (!entry.isFile() || !entry.name.endsWith('.ts') || entry.name.endsWith('.test.ts')) continue;
  const file = join(entry.parentPath, entry.name);
  const folder = folderOf(file);
  const may = allowed.get(folder);
  if (!may) {
    problems.push(`src/${folder}: no row in ARCHITECTURE.md`);
    continue;
  }
  for (const [, target] of readFileSync(file, 'utf8').matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)) {
    const other = folderOf(resolve(file, '..', target!));
    if (other === folder || may === 'everything' || may.has(other)) continue;
    problems.push(`${relative(root, file)}: ${folder} may not import from ${other} (${target})`);
  }
}

function folderOf(file: string): string {
  return relative(source, file).split(sep)[0]!;
}

for (const problem of [...new Set(problems)]) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
