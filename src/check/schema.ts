// What checks ask of the schemas that a server publishes.

import { describe } from '../core/json-schema/fault.ts';
import type { Schema } from '../core/json-schema/references.ts';
import { schemaFault as coreSchemaFault } from '../core/json-schema/schema-fault.ts';
import { createValidator } from '../core/json-schema/validate.ts';
import { neutralSchema } from './dialect.ts';
import { isObject } from './message.ts';
import type { Revision } from './model.ts';

export function schemaFault(
  schema: unknown,
  { rootObject, revision }: { readonly rootObject: boolean; readonly revision: Revision },
): string | null {
  if (!isObject(schema)) return 'is not an object';
  if (rootObject && schema.type !== 'object')
    return `has the type ${JSON.stringify(schema.type)} at its root, not "object"`;
  // Another dialect has rules of its own; MCP lets a schema name one.
  const dialect = schema.$schema;
  const isDraft = typeof dialect === 'string' && /draft-0[67]/.test(dialect);
  if (typeof dialect === 'string' && !dialect.includes('2020-12') && !isDraft) return null;
  const isOlderDialect = isDraft || (dialect === undefined && revision < '2025-11-25');
  const neutral = neutralSchema(schema, isOlderDialect);
  return neutral === null ? null : coreSchemaFault(neutral);
}

export function valueFault(schema: unknown, value: unknown): string | null {
  try {
    const found = createValidator(schema as Schema)(value);
    return found === null ? null : describe(found);
  } catch {
    return null;
  }
}

const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** The rules for `x-mcp-header` of 2026-07-28; null if all annotations keep them. */
export function headerAnnotationFaults(schema: unknown): string | null {
  const names = new Set<string>();

  function visit(node: unknown, reachable: boolean, at: string): string | null {
    if (Array.isArray(node)) return first(node, (item, index) => visit(item, false, `${at}/${index}`));
    if (!isObject(node)) return null;
    if (Object.hasOwn(node, 'x-mcp-header')) {
      const fault = annotation(node['x-mcp-header'], node.type, reachable);
      if (fault !== null) return `${at} ${fault}`;
    }
    return first(Object.entries(node), ([key, child]) => {
      if (key === 'properties' && isObject(child)) {
        return first(Object.entries(child), ([name, property]) =>
          visit(property, reachable, `${at}/properties/${name}`),
        );
      }
      return visit(child, false, `${at}/${key}`);
    });
  }

  function annotation(name: unknown, type: unknown, reachable: boolean): string | null {
    if (typeof name !== 'string' || !TOKEN.test(name))
      return `has the name ${JSON.stringify(name)}, which is no header token`;
    if (!reachable) return 'cannot be reached through properties alone';
    if (type !== 'string' && type !== 'integer' && type !== 'boolean')
      return `has the type ${JSON.stringify(type)}`;
    if (names.has(name.toLowerCase())) return `has the name "${name}", which is used twice`;
    names.add(name.toLowerCase());
    return null;
  }

  return visit(schema, true, '#');
}

function first<T>(items: readonly T[], look: (item: T, index: number) => string | null): string | null {
  for (const [index, item] of items.entries()) {
    const found = look(item, index);
    if (found !== null) return found;
  }
  return null;
}

/** The parameters with a valid `x-mcp-header`, and how they are reached. */
export function annotatedParameters(
  schema: unknown,
  path: readonly string[] = [],
): { readonly path: readonly string[]; readonly header: string }[] {
  if (!isObject(schema) || !isObject(schema.properties) || path.length > 20) return [];
  return Object.entries(schema.properties).flatMap(([name, property]) => {
    const header = isObject(property) ? property['x-mcp-header'] : undefined;
    const own = typeof header === 'string' && TOKEN.test(header) ? [{ path: [...path, name], header }] : [];
    return [...own, ...annotatedParameters(property, [...path, name])];
  });
}

/** A `$ref` that leads to the network, if there is one. */
export function networkReference(schema: unknown): string | null {
  let found: string | null = null;
  JSON.stringify(schema, (key, value: unknown) => {
    if (key === '$ref' && typeof value === 'string' && /^(?:https?|ftp):/i.test(value)) found ??= value;
    return value;
  });
  return found;
}
