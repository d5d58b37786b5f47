// The entries of a mapping. Unknown keys are refused at their place with the nearest known one, keys given twice too;
// the others are still read.

import { nearest } from '../core/nearest.ts';
import { quote } from '../policy/document.ts';
import { isMap, isScalar, type Node, type YAMLMap } from '../policy/yaml.ts';
import type { Place } from './shape.ts';

interface Entry {
  readonly key: Node;
  readonly value: Node | null;
}

/** `known`: null where any key may stand. A mapping without a value is an empty one. */
export function readKeys(
  node: Node | null | undefined,
  place: Place,
  known: readonly string[] | null,
): Map<string, Entry> {
  const found = new Map<string, Entry>();
  if (isEmpty(node)) return found;
  if (!isMap(node)) return place.fail(node, `${nameOf(place)} must be a mapping`);
  for (const { key, value } of (node as YAMLMap<Node, Node | null>).items) {
    const text = isScalar(key) ? String(key.value) : '';
    place.attempt(() => {
      if (known !== null && !known.includes(text)) place.fail(key, unknown(place, text, known));
      if (found.has(text)) place.fail(key, `${nameOf(place)} has the key ${quote(text)} twice`);
      found.set(text, { key, value });
    });
  }
  return found;
}

function unknown(place: Place, text: string, known: readonly string[]): string {
  const near = nearest(text, known);
  const hint = near === null ? `known are ${known.join(', ')}` : `did you mean ${quote(near)}?`;
  return `${nameOf(place)} has the unknown key ${quote(text)}; ${hint}`;
}

export const isEmpty = (node: unknown): boolean =>
  node === null || node === undefined || (isScalar(node) && node.value === null);

export const nameOf = (place: Place): string => (place.path === '' ? 'the document' : place.path);
