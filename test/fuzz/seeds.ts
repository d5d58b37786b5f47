// What is mutated: the committed fixtures, small, and between them every kind of definition.

import { readdirSync, readFileSync } from 'node:fs';
import type { ComponentAst } from '../../src/engine/decode/ast.ts';

export function readSeeds(): Uint8Array[] {
  const folder = new URL('../fixtures/wat/', import.meta.url);
  return readdirSync(folder)
    .filter((name) => name.endsWith('.wasm'))
    .sort()
    .map((name) => new Uint8Array(readFileSync(new URL(name, folder))));
}

/** All core modules of a component, nested ones included. */
export function modulesIn({ definitions }: ComponentAst): Uint8Array[] {
  return definitions.flatMap((definition) => {
    if (definition.kind === 'component') return modulesIn(definition.component);
    return definition.kind === 'core module' ? [definition.bytes] : [];
  });
}
