// One reading of a document: finds all problems, not only the first, and remembers what the document says where.

import type { PolicyDocument } from '../policy/document.ts';
import type { Node } from '../policy/yaml.ts';
import type { Place, Position, Problem } from './shape.ts';

const MAX_PROBLEMS = 100;

export interface Reading {
  readonly root: Place;
  readonly problems: readonly Problem[];
  /** Places that the document itself fills, by path. */
  readonly written: ReadonlyMap<string, Position>;
}

class Failed extends Error {}

export function createReading(document: PolicyDocument, directory: string): Reading {
  const problems: Problem[] = [];
  const written = new Map<string, Position>();

  const place = (path: string, anchor: Node | null): Place => ({
    path,
    directory,
    at: (step, node = undefined) => place(stepTo(path, step), node ?? anchor),
    fail(node, problem) {
      const shown = node ?? anchor;
      const at = shown ? document.position(shown) : { line: 1, column: 1 };
      if (problems.length < MAX_PROBLEMS) problems.push({ ...at, problem });
      throw new Failed();
    },
    attempt(read) {
      try {
        return read();
      } catch (error) {
        if (error instanceof Failed) return undefined;
        throw error;
      }
    },
    written: (node: Node) => void written.set(path, document.position(node)),
  });
  return { root: place('', null), problems, written };
}

function stepTo(path: string, step: string | number): string {
  if (typeof step === 'number') return `${path}[${step}]`;
  return path === '' ? step : `${path}.${step}`;
}
