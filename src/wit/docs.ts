// What authors wrote about their functions and types: the `package-docs` custom section, a version byte and JSON that
// WIT tools put into a component. It is a hint from an untrusted file: what does not have the form is left out, and
// nothing here throws. ToolDocs is what becomes of it for one tool; other sources are merged over it.

import type { TypeDocs } from './schema.ts';
import { cleanText } from './text.ts';
import type { FuncType } from './type.ts';

const MAX_SECTION = 4 * 1024 * 1024;
const MAX_TEXT = 8192;

export interface ToolDocs {
  readonly title?: string;
  readonly description?: string;
  readonly params?: ReadonlyMap<string, string>;
}

/** Words by place: the interface's name (null for the world itself), then the function or type in it. */
export interface PackageDocs {
  readonly docs: string | undefined;
  func(interfaceName: string | null, name: string): string | undefined;
  type(interfaceName: string | null, name: string): TypeDocs | undefined;
}

/** Later sources win, field by field and parameter by parameter. This is where a sidecar's words come in. */
export function mergeToolDocs(...sources: readonly (ToolDocs | undefined)[]): ToolDocs {
  let merged: ToolDocs = {};
  const params = new Map<string, string>();
  for (const source of sources) {
    merged = { ...merged, ...source };
    for (const [name, words] of source?.params ?? []) params.set(name, words);
  }
  return params.size > 0 ? { ...merged, params } : merged;
}

/** Docs of a function, and of its parameters where the text lists them as `- name: words` or `@param name words`. */
export function funcDocs(text: string | undefined, func: FuncType): ToolDocs {
  if (text === undefined) return {};
  const params = new Map<string, string>();
  const names = new Set(func.params.map((param) => param.name));
  for (const line of text.split('\n')) {
    const item = /^\s*(?:[-*]|@param)\s+[`*]*([A-Za-z0-9-]+)[`*]*\s*[:–—-]?\s+(\S.*)$/.exec(line);
    if (item && names.has(item[1]!)) params.set(item[1]!, item[2]!);
  }
  return { description: text, ...(params.size > 0 && { params }) };
}

/** Null if the section is not one that this reader knows. */
export function parsePackageDocs(section: Uint8Array): PackageDocs | null {
  if (section.length > MAX_SECTION || (section[0] !== 0 && section[0] !== 1)) return null;
  let root: Tree;
  try {
    root = tree(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(section.subarray(1))));
  } catch {
    return null;
  }
  const worlds = Object.values(tree(root.worlds)).map(tree);
  const scopes = (interfaceName: string | null): Tree[] => {
    if (interfaceName === null) return worlds;
    const label = /\/([^@]+)/.exec(interfaceName)?.[1];
    if (label !== undefined) return [own(tree(root.interfaces), label)];
    return worlds.flatMap((world) => [
      own(tree(world.interface_exports), interfaceName),
      own(tree(world.interfaces), interfaceName),
    ]);
  };
  return {
    docs: text(root.docs),
    func: (interfaceName, name) =>
      first(scopes(interfaceName), (scope) =>
        // A function's docs were a plain string in version 0.
        first([scope.func_exports, scope.funcs], (funcs) => {
          const entry = tree(funcs);
          return Object.hasOwn(entry, name) ? (text(entry[name]) ?? text(tree(entry[name]).docs)) : undefined;
        }),
      ),
    type: (interfaceName, name) =>
      first(scopes(interfaceName), (scope) => {
        const entry = own(tree(scope.types), name);
        const items = Object.entries(tree(entry.items)).flatMap(([item, words]) => {
          const clean = text(words);
          return clean === undefined ? [] : [[item, clean] as const];
        });
        const docs = text(entry.docs);
        return docs === undefined && items.length === 0 ? undefined : { docs, items: new Map(items) };
      }),
  };
}

interface Tree {
  readonly [key: string]: unknown;
}

const EMPTY: Tree = Object.freeze({});

function tree(value: unknown): Tree {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Tree) : EMPTY;
}

/** Never a property of Object.prototype: functions and types may be called `constructor`. */
function own(parent: Tree, key: string): Tree {
  return Object.hasOwn(parent, key) ? tree(parent[key]) : EMPTY;
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? cleanText(value, MAX_TEXT) || undefined : undefined;
}

function first<T, R>(items: readonly T[], find: (item: T) => R | undefined): R | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
