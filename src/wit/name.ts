// The names of imports and exports, taken apart (Explainer.md, "Import and Export Definitions"). The validator has
// checked the grammar of a component's names; those of core modules are any text, which is then a plain name.

import type { ValType } from './type.ts';

export interface InterfaceName {
  /** `wasi:io`, without the version. */
  readonly package: string;
  readonly interface: string;
  readonly version: string | null;
}

/** Null for plain names, and for nested packages, which have no WIT text. */
export function parseInterfaceName(name: string): InterfaceName | null {
  const parts = /^([a-z0-9-]+:[a-z0-9-]+)\/([A-Za-z0-9-]+)(?:@(.+))?$/.exec(name);
  return parts && { package: parts[1]!, interface: parts[2]!, version: parts[3] ?? null };
}

/** The package with its version. */
export function packageOf(name: InterfaceName): string {
  return name.version === null ? name.package : `${name.package}@${name.version}`;
}

export interface FuncName {
  readonly kind: 'plain' | 'constructor' | 'method' | 'static';
  /** Of which resource; null for plain functions. */
  readonly resource: string | null;
  readonly name: string;
}

export function parseFuncName(name: string): FuncName {
  const own = /^\[constructor\](.+)$/s.exec(name);
  if (own) return { kind: 'constructor', resource: own[1]!, name: 'constructor' };
  const member = /^\[(?:async )?(method|static)\]([^.]+)\.(.+)$/s.exec(name);
  if (member) {
    return { kind: member[1] as 'method' | 'static', resource: member[2]!, name: member[3]! };
  }
  return { kind: 'plain', resource: null, name: name.replace(/^\[async\]/, '') };
}

/**
 * What makes a record, variant, enum or flags the same type under its several names: each name has an object of its
 * own, all share the list of parts. Null for types that need no name.
 */
export function nominalKey(type: ValType): object | null {
  switch (type.kind) {
    case 'record':
      return type.fields;
    case 'variant':
      return type.cases;
    case 'enum':
    case 'flags':
      return type.names;
    default:
      return null;
  }
}
