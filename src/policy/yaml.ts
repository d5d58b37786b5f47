// The YAML library behind the few functions that are used of it. It is loaded when the first document is read and not
// before: loading it takes as long as starting Node, and a server has to answer long before it needs a policy.

import { createRequire } from 'node:module';
import type { LineCounter, Node, Scalar, YAMLMap, YAMLSeq } from 'yaml';

type Library = typeof import('yaml');

const load = createRequire(import.meta.url);

/** Kept by the module loader after the first time. */
export function yamlLibrary(): Library {
  return load('yaml') as Library;
}

export type { Document, LineCounter, Node, YAMLMap, YAMLSeq } from 'yaml';

export const isMap = (node: unknown): node is YAMLMap => yamlLibrary().isMap(node);
export const isSeq = (node: unknown): node is YAMLSeq => yamlLibrary().isSeq(node);
export const isScalar = (node: unknown): node is Scalar => yamlLibrary().isScalar(node);
export const isNode = (node: unknown): node is Node => yamlLibrary().isNode(node);
export const createMap = (): YAMLMap => new (yamlLibrary().YAMLMap)();
export const createSeq = (): YAMLSeq => new (yamlLibrary().YAMLSeq)();
export const createLineCounter = (): LineCounter => new (yamlLibrary().LineCounter)();
