// A policy or configuration document as YAML nodes that know their line and column. YAML is read in its plainest form:
// one document, no anchors, aliases, tags or directives, string keys, no key twice; size, depth and number of nodes are
// bounded before anything looks at the content. Throws nothing but WitboxError `policy-invalid` or `config-invalid`.

import { WitboxError } from '../core/errors.ts';
import {
  createLineCounter,
  type Document,
  isMap,
  isScalar,
  isSeq,
  type Node,
  type YAMLMap,
  yamlLibrary,
} from './yaml.ts';

const MAX_BYTES = 64 * 1024;
const MAX_DEPTH = 16;
const MAX_NODES = 20_000;

const OPTIONS = {
  schema: 'core',
  version: '1.2',
  stringKeys: true,
  prettyErrors: false,
  // Quadratic in the library; readMap looks for keys given twice in each mapping that is read.
  uniqueKeys: false,
  // Not 'silent': that would let a second document in the text pass unseen.
  logLevel: 'error',
} as const;

/** Where the library's own words would not help who reads them. */
const FAULTS: Readonly<Record<string, string>> = {
  MULTIPLE_DOCS: 'it must be one document, without "---" in it',
  RESOURCE_EXHAUSTION: `it is nested deeper than ${MAX_DEPTH} levels`,
};

export interface PolicyDocument {
  readonly yaml: Document;
  /** Throws at that node, or at the start of the document. */
  fail(node: Node | null | undefined, problem: string): never;
  position(node: Node): { readonly line: number; readonly column: number };
}

export function readDocument(
  text: string,
  name = 'policy.yaml',
  code: 'policy-invalid' | 'config-invalid' = 'policy-invalid',
): PolicyDocument {
  const lines = createLineCounter();
  const at = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const failAt = (offset: number, problem: string, cause?: unknown): never => {
    throw new WitboxError(code, { name, ...at(offset), problem }, cause);
  };
  if (Buffer.byteLength(text) > MAX_BYTES) failAt(0, `it is larger than ${MAX_BYTES / 1024} KiB`);
  const directive = /^%/m.exec(text);
  if (directive) failAt(directive.index, 'it must not have YAML directives');
  let yaml: Document;
  try {
    yaml = yamlLibrary().parseDocument(text, { ...OPTIONS, lineCounter: lines });
  } catch (error) {
    return failAt(0, 'it is not readable as YAML', error);
  }
  const fault = yaml.errors[0] ?? yaml.warnings[0];
  if (fault) failAt(fault.pos[0], FAULTS[fault.code] ?? lowerFirst(fault.message), fault);
  const document: PolicyDocument = {
    yaml,
    fail: (node, problem) => failAt(node?.range?.[0] ?? 0, problem),
    position: (node) => at(node.range?.[0] ?? 0),
  };
  refuseIndirection(document);
  return document;
}

/** The document as plain data, for `--json`. It has no aliases, so that this is no larger than the text. */
export function documentJson(text: string): unknown {
  return readDocument(text).yaml.toJS({ maxAliasCount: 0 });
}

/** The entries of a mapping, all of whose keys must be known. A missing or empty node is an empty mapping. */
export function readMap(
  document: PolicyDocument,
  node: unknown,
  where: string,
  known: readonly string[],
): Map<string, Node | null> {
  const entries = new Map<string, Node | null>();
  if (isEmpty(node)) return entries;
  if (!isMap(node)) return document.fail(node as Node, `${where} must be a mapping`);
  for (const { key, value } of (node as YAMLMap<Node, Node | null>).items) {
    const text = isScalar(key) ? String(key.value) : '';
    if (!known.includes(text))
      document.fail(key, `${where} has the unknown key ${quote(text)}; known are ${known.join(', ')}`);
    if (entries.has(text)) document.fail(key, `${where} has the key ${quote(text)} twice`);
    entries.set(text, value);
  }
  return entries;
}

export function readList(document: PolicyDocument, node: unknown, where: string): readonly Node[] {
  if (isEmpty(node)) return [];
  if (!isSeq(node)) return document.fail(node as Node, `${where} must be a list`);
  return node.items as Node[];
}

export function readString(document: PolicyDocument, node: Node | null | undefined, where: string): string {
  if (isScalar(node) && typeof node.value === 'string') return node.value;
  return document.fail(node, `${where} must be a string`);
}

/** Text of a scalar that may be written as a number too (`port: 443`, `memory: 1048576`). */
export function readScalarText(
  document: PolicyDocument,
  node: Node | null | undefined,
  where: string,
): string {
  if (isScalar(node) && Number.isSafeInteger(node.value)) return String(node.value);
  return readString(document, node, where);
}

/** A value of a document in a message: one line, bounded, with nothing in it that could disturb a terminal. */
export function quote(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);
}

function isEmpty(node: unknown): boolean {
  return node === null || node === undefined || (isScalar(node) && node.value === null);
}

function refuseIndirection(document: PolicyDocument): void {
  let nodes = 0;
  yamlLibrary().visit(document.yaml, {
    Node: (_key, node, path) => {
      nodes += 1;
      if (nodes > MAX_NODES) document.fail(node, `it has more than ${MAX_NODES} nodes`);
      if (path.filter((above) => isMap(above) || isSeq(above)).length > MAX_DEPTH) {
        document.fail(node, `it is nested deeper than ${MAX_DEPTH} levels`);
      }
      if ('anchor' in node && node.anchor) document.fail(node, 'it must not have anchors');
      if ('source' in node && !isScalar(node)) document.fail(node, 'it must not have aliases');
      if (node.tag) document.fail(node, 'it must not have tags');
    },
  });
}

function lowerFirst(text: string): string {
  return text.slice(0, 1).toLowerCase() + text.slice(1).split('\n')[0];
}
