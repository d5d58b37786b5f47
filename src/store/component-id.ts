// Ids of components: the name a person types and a directory is called by. Lower case, no dots, so that it is one path
// segment on every file system and `component.function` can be split.

import { WitboxError } from '../core/errors.ts';

const ID = /^[a-z0-9][a-z0-9_-]{0,63}$/;

export function isComponentId(id: string): boolean {
  return ID.test(id);
}

/** Throws `component-id-invalid`. */
export function checkComponentId(id: string): string {
  if (isComponentId(id)) return id;
  throw new WitboxError('component-id-invalid', { id: JSON.stringify(id.slice(0, 80)).slice(1, -1) });
}

/** From the name of a file: `My Tool.component.wasm` → `my-tool`; with a number behind it if that is taken. */
export function componentIdFor(fileName: string, taken: (id: string) => boolean): string {
  const stem = fileName.toLowerCase().replace(/\.(?:wasm|wat|component)(?=\.|$)/g, '');
  const plain = stem.replace(/[^a-z0-9_]+/g, '-').replace(/^[-_]+|[-_]+$/g, '');
  const base = plain.slice(0, 56).replace(/[-_]+$/, '') || 'component';
  if (!taken(base)) return base;
  for (let n = 2; ; n += 1) if (!taken(`${base}-${n}`)) return `${base}-${n}`;
}
