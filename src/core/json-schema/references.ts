// Finds what `$ref`, `$anchor` and `$id` point at inside one schema document. Nothing is ever fetched: a reference
// that leaves the document is an error. Refuses documents that are too deep or too large to be meant well.

import { isRecord, type JsonRecord } from './json.ts';

const MAX_DEPTH = 100;
const MAX_SCHEMAS = 20_000;
/** Every part remembers the address it stands under, so addresses must stay short. */
const MAX_ADDRESS = 1_000;
const DOCUMENT = 'schema:/document';

export type Schema = boolean | JsonRecord;

export interface References {
  /** The schema that `reference`, standing in `from`, points at; null if there is none in this document. */
  resolve(reference: string, from: Schema): Schema | null;
}

/** A schema with an address of its own, and what is called by a name in it. */
interface Resource {
  readonly root: Schema;
  readonly anchors: Map<string, Schema>;
}

/** Throws an Error with a plain message when the document is too large. */
export function indexReferences(root: Schema): References {
  const resources = new Map<string, Resource>([[DOCUMENT, { root, anchors: new Map() }]]);
  const baseOf = new Map<Schema, string>();
  let count = 0;

  function visit(node: unknown, base: string, depth: number): void {
    if (depth > MAX_DEPTH) throw new Error(`the schema is nested more than ${MAX_DEPTH} deep`);
    if (Array.isArray(node)) {
      for (const item of node) visit(item, base, depth + 1);
      return;
    }
    if (!isRecord(node)) return;
    if (++count > MAX_SCHEMAS) throw new Error(`the schema has more than ${MAX_SCHEMAS} parts`);
    const here = typeof node.$id === 'string' ? addressOf(node.$id, base) : base;
    if (here !== base) resources.set(here, { root: node, anchors: new Map() });
    baseOf.set(node, here);
    for (const key of ['$anchor', '$dynamicAnchor']) {
      const anchor = node[key];
      if (typeof anchor === 'string') resources.get(here)?.anchors.set(anchor, node);
    }
    for (const [key, child] of Object.entries(node)) {
      if (key === 'enum' || key === 'const' || key === 'examples' || key === 'default') continue;
      visit(child, here, depth + 1);
    }
  }

  visit(root, DOCUMENT, 0);

  return {
    resolve(reference, from) {
      const target = URL.parse(reference, baseOf.get(from) ?? DOCUMENT);
      if (target === null) return null;
      const fragment = decode(target.hash.slice(1));
      target.hash = '';
      const resource = resources.get(target.href);
      if (resource === undefined) return null;
      if (fragment !== '' && !fragment.startsWith('/')) return resource.anchors.get(fragment) ?? null;
      const found = follow(resource.root, fragment);
      return typeof found === 'boolean' || (isRecord(found) && baseOf.has(found)) ? found : null;
    },
  };
}

function addressOf(id: string, base: string): string {
  const href = id.length > MAX_ADDRESS ? id : (URL.parse(id, base)?.href.replace(/#$/, '') ?? base);
  if (href.length > MAX_ADDRESS) throw new Error(`an $id is longer than ${MAX_ADDRESS} characters`);
  return href;
}

/** Walks a JSON Pointer through own properties alone. */
function follow(root: Schema, pointer: string): unknown {
  let node: unknown = root;
  for (const part of pointer.split('/').slice(1)) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof node !== 'object' || node === null || !Object.hasOwn(node, key)) return undefined;
    node = (node as Readonly<Record<string, unknown>>)[key];
  }
  return node;
}

function decode(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}
