// How far the references of a schema reach. A client that validates by it follows every `$ref`, and not every client is
// careful: a schema that leads out of itself could make it fetch something, and one whose references multiply could keep
// it busy for ever. Such schemas are never shown to a client.

import type { Json, JsonObject } from '../../core/json.ts';
import { indexReferences, type Schema } from '../../core/json-schema/references.ts';

const MOST_PARTS = 100_000;
const MOST_STEPS = 200;
/** These hold data, not schemas. */
const DATA = new Set(['enum', 'const', 'examples', 'default']);
/** These are reached by reference, not by standing there. */
const SHELVES = new Set(['$defs', 'definitions']);

/** What is wrong, in words; null if every reference stays inside and all of them together stay small. */
export function reachFault(schema: JsonObject): string | null {
  const references = indexReferences(schema as Schema);
  const sizes = new Map<object, number>();
  const open = new Set<object>();

  function sizeOf(node: Json | undefined, steps: number): number {
    if (typeof node !== 'object' || node === null) return 0;
    const known = sizes.get(node);
    if (known !== undefined) return known;
    // Going in circles is how trees are described; it adds nothing.
    if (open.has(node)) return 0;
    if (steps > MOST_STEPS) throw new Error(`references follow each other more than ${MOST_STEPS} times`);
    open.add(node);
    let size = 1;
    for (const [key, child] of Object.entries(node)) {
      if (DATA.has(key) || SHELVES.has(key)) continue;
      size += sizeOf(child as Json, steps + 1);
      if ((key === '$ref' || key === '$dynamicRef') && typeof child === 'string') {
        const target = references.resolve(child, node as Schema);
        if (target === null) throw new Error(`"${child.slice(0, 200)}" leads out of the schema`);
        size += sizeOf(target as Json, steps + 1);
      }
    }
    open.delete(node);
    sizes.set(node, size);
    return size;
  }

  try {
    const size = sizeOf(schema, 0);
    return size > MOST_PARTS ? `with its references followed it has more than ${MOST_PARTS} parts` : null;
  } catch (error) {
    return (error as Error).message;
  }
}
