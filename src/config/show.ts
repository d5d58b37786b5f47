// A configuration as a document again, with every default in it and where each other value comes from. What is shown
// can be read again and means the same.

import type { Json } from '../core/json.ts';
import { isMap, isScalar, isSeq, type Node, type YAMLMap, yamlLibrary } from '../policy/yaml.ts';
import { type Config, DOCUMENT, type LoadedConfig } from './config.ts';
import type { Position } from './shape.ts';

export function configJson({ audit, access, ...rest }: Config): Json {
  const { directory, ...options } = audit;
  return (
    DOCUMENT.write({
      ...rest,
      audit: { ...options, ...(directory !== null && { directory }) },
      ...(access !== null && { access }),
    }) ?? {}
  );
}

/** `name`: what to call the file in the comments. */
export function configText({ config, written }: LoadedConfig, name: string): string {
  const { Document, visit } = yamlLibrary();
  const document = new Document(configJson(config));
  comment(document.contents, '', written, name);
  visit(document, {
    Seq: (_, node) => {
      if (node.items.every(isScalar)) node.flow = true;
    },
  });
  return document.toString({ lineWidth: 0, flowCollectionPadding: false });
}

function comment(node: unknown, path: string, written: ReadonlyMap<string, Position>, name: string): void {
  if (isSeq(node)) {
    for (const [i, item] of node.items.entries()) comment(item, `${path}[${i}]`, written, name);
  }
  if (!isMap(node)) return;
  for (const { key, value } of (node as YAMLMap<Node, Node>).items) {
    const at = `${path === '' ? '' : `${path}.`}${isScalar(key) ? key.value : ''}`;
    const position = written.get(at);
    const short = isScalar(value) || (isSeq(value) && value.items.every(isScalar));
    if (position !== undefined && short) value.comment = ` ${name}:${position.line}`;
    comment(value, at, written, name);
  }
}
