// An inspection for people. Everything that came from the file is cleaned: it ends up on a terminal.

import { cleanText } from '../wit/text.ts';
import type { Inspection } from './inspection.ts';
import { MEANING_WORDS } from './meaning.ts';

export function inspectionText(file: string, found: Inspection): string {
  return [
    `${clean(file)}: ${[found.kind === 'module' ? 'core module' : 'component', size(found.bytes)].join(', ')}`,
    ...rows([
      ['digest', found.digest],
      ['name', found.name],
      ['about', found.docs && firstLine(found.docs)],
      ['made with', found.producers.map((one) => `${one.name} ${one.version}`.trim()).join(', ')],
      [
        'core modules',
        found.kind === 'component' ? `${found.coreModules.count}, ${size(found.coreModules.bytes)}` : '',
      ],
    ]),
    ...(found.unsupported ? ['', found.unsupported] : []),
    ...(found.asyncBuiltins.length > 0
      ? ['', `Uses WASI 0.3 inside: ${found.asyncBuiltins.join(', ')}`]
      : []),
    ...part(
      `Tools (${found.tools.length})`,
      found.tools.flatMap((tool) => [
        `${tool.name}${tool.signature}${tool.stateful ? '  [needs a session]' : ''}`,
        ...(tool.description ? [`    ${firstLine(tool.description)}`] : []),
      ]),
    ),
    ...part(
      'Exported, but not tools',
      found.leftovers.map((left) => `${clean(left.path.join(' '))}: ${left.reason}`),
    ),
    ...part(
      `Imports (${found.imports.length})`,
      found.imports.map(({ name, meaning }) => `${name}${meaning === 'none' ? '' : `  [${meaning}]`}`),
    ),
    ...part('Permissions', permissionLines(found)),
    '',
  ].join('\n');
}

function permissionLines(found: Inspection): string[] {
  const lines = rows(found.permissions.map((kind) => [kind, `may ask to ${MEANING_WORDS[kind]}`])).map(
    (line) => line.trim(),
  );
  if (found.imports.some(({ meaning }) => meaning === 'unknown')) {
    lines.push('Some imports are not from WASI: other components must provide them');
  }
  return lines.length > 0 ? lines : ['none: it cannot reach files, network or environment'];
}

function part(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', title, ...lines.map((line) => `  ${line}`)];
}

function rows(pairs: readonly (readonly [string, string | null | undefined])[]): string[] {
  const shown = pairs.filter(([, value]) => value);
  const width = Math.max(0, ...shown.map(([label]) => label.length));
  return shown.map(([label, value]) => `  ${label.padEnd(width)}  ${value}`);
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0]!;
}

function clean(text: string): string {
  return cleanText(text, 300).replaceAll('\n', ' ');
}

function size(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  return bytes < 1_000_000 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
