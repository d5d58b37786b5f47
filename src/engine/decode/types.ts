// Component type definitions: value types, functions, resources, component and instance types (Binary.md, `type`).
// Recursion happens only through component and instance types and is bounded by the depth limit.

import type { Declarator, LabelAst, TypeAst } from './ast.ts';
import { readCoreType, readCoreValType } from './core-types.ts';
import { readAlias, readExternName, readExternType } from './externs.ts';
import type { Reader } from './reader.ts';
import { primitiveOf, readOptionalValType, readResultList, readValType } from './val-types.ts';

export function readType(r: Reader): TypeAst {
  r.count('types');
  const byte = r.byte();
  const primitive = primitiveOf(byte);
  if (primitive !== undefined) return { kind: 'primitive', type: primitive };
  const { limits } = r;
  switch (byte) {
    case 0x72:
      return { kind: 'record', fields: r.vec('fields', limits.fields, readLabel) };
    case 0x71:
      return { kind: 'variant', cases: r.vec('cases', limits.fields, readCase) };
    case 0x70:
      return { kind: 'list', element: readValType(r) };
    case 0x6f:
      return { kind: 'tuple', items: r.vec('tuple items', limits.fields, readValType) };
    case 0x6e:
      return { kind: 'flags', names: r.vec('flags', limits.flags, (reader) => reader.name()) };
    case 0x6d:
      return { kind: 'enum', names: r.vec('enum names', limits.fields, (reader) => reader.name()) };
    case 0x6b:
      return { kind: 'option', some: readValType(r) };
    case 0x6a:
      return { kind: 'result', ok: readOptionalValType(r), err: readOptionalValType(r) };
    case 0x69:
      return { kind: 'own', resource: r.u32() };
    case 0x68:
      return { kind: 'borrow', resource: r.u32() };
    case 0x67:
      return { kind: 'fixed-list', element: readValType(r), length: r.u32() };
    case 0x66:
      return { kind: 'stream', element: readOptionalValType(r) };
    case 0x65:
      return { kind: 'future', element: readOptionalValType(r) };
    case 0x63:
      return { kind: 'map', key: readValType(r), value: readValType(r) };
    case 0x43:
    case 0x40: {
      const params = r.vec('parameters', limits.params, readLabel);
      return { kind: 'func', params, result: readResultList(r), async: byte === 0x43 };
    }
    case 0x3f:
      return readResource(r);
    case 0x42:
      return { kind: 'instance', decls: readDeclarators(r, 'instance') };
    case 0x41:
      return { kind: 'component', decls: readDeclarators(r, 'component') };
    default:
      throw r.unknown('a type', byte);
  }
}

function readLabel(r: Reader): LabelAst {
  return { name: r.name(), type: readValType(r) };
}

function readCase(r: Reader): { name: string; type: LabelAst['type'] | null } {
  const result = { name: r.name(), type: readOptionalValType(r) };
  const refines = r.byte();
  if (refines !== 0) throw r.unknown('the end of a variant case (0x00)', refines);
  return result;
}

function readResource(r: Reader): TypeAst {
  const rep = readCoreValType(r);
  const spelled = typeof rep === 'string' ? rep : `(ref ${rep.heap})`;
  return { kind: 'resource', rep: spelled, dtor: r.bool('an optional destructor') ? r.u32() : null };
}

function readDeclarators(r: Reader, owner: 'component' | 'instance'): Declarator[] {
  return r.nested(() => r.vec('declarators', r.limits.types, () => readDeclarator(r, owner)));
}

function readDeclarator(r: Reader, owner: 'component' | 'instance'): Declarator {
  const at = r.at;
  const byte = r.byte();
  switch (byte) {
    case 0x00:
      return { at, kind: 'core type', type: readCoreType(r) };
    case 0x01:
      return { at, kind: 'type', type: readType(r) };
    case 0x02:
      r.count('types');
      return { at, kind: 'alias', alias: readAlias(r) };
    case 0x03:
      if (owner === 'instance') break;
      r.count('types');
      return { at, kind: 'import', name: readExternName(r), type: readExternType(r) };
    case 0x04:
      r.count('types');
      return { at, kind: 'export', name: readExternName(r), type: readExternType(r) };
  }
  throw r.unknown(`a declarator of ${owner} types`, byte);
}
