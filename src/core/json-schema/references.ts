// Finds what `$ref`, `$anchor` and `$id` point at inside one schema document. Nothing is ever fetched: a reference
// that leaves the document is an error. Refuses documents that are too deep or too large to be meant well.

import { isRecord, type JsonRecord } from './json.ts';

const MAX_DEPTH = 100;
const MAX_SCHEMAS = 20_000;
const DOCUMENT = 'schema:/document';

export type Schema = boolean | JsonRecord;

export interface References {
  /** The schema that `reference`, standing in `from`, points at; null if there is none in this document. */
  resolve(reference: string, from: Schema): Schema | null;
}

/** Throws an Error with a plain message when the document is too large. */
export function indexReferences(root: Schema): References {
  const byUri = new Map<string, Schema>();
  const baseOf = new Map<Schema, string>();
  let count = 0;

  function visit(node: unknown, base: string, pointer: string, depth: number): void {
    if (depth > MAX_DEPTH) throw new Error(`the schema is nested more than ${MAX_DEPTH} deep`);
    if (Array.isArray(node)) {
      for (const [index, item] of node.entries()) visit(item, base, `${pointer}/${index}`, depth + 1);
      return;
    }
    if (!isRecord(node)) return;
    if (++count > MAX_SCHEMAS) throw new Error(`the schema has more than ${MAX_SCHEMAS} parts`);
    let here = base;
    let place = pointer;
    if (typeof node.$id === 'string') {
      const resolved = URL.parse(node.$id, base);
      if (resolved !== null) {
        here = resolved.href.replace(/#$/, '');
        place = '';
        byUri.set(here, node);
      }
    }
    baseOf.set(node, here);
    byUri.set(`${here}#${place}`, node);
    for (const key of ['$anchor', '$dynamicAnchor']) {
      const anchor = node[key];
      if (typeof anchor === 'string') byUri.set(`${here}#${anchor}`, node);
    }
    for (const [key, child] of Object.entries(node)) {
      if (key === 'enum' || key === 'const' || key === 'examples' || key === 'default') continue;
      visit(child, here, `${place}/${encode(key)}`, depth + 1);
    }
  }

  visit(root, DOCUMENT, '', 0);
  if (typeof root !== 'boolean') byUri.set(DOCUMENT, root);

  return {
    resolve(reference, from) {
      const target = URL.parse(reference, baseOf.get(from) ?? DOCUMENT);
      if (target === null) return null;
      const fragment = decode(target.hash.slice(1));
      target.hash = '';
      const base = target.href;
      return (
        byUri.get(fragment === '' ? base : `${base}#${fragment}`) ?? byUri.get(`${base}#${fragment}`) ?? null
      );
    },
  };
}

const encode = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1');

function decode(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}
