// Core WebAssembly types as both core modules and components write them: value types, recursion groups, limits,
// import and export types, and the component model's core module types. Indices stay indices.
// Core 3.0 binary format §5.3; `cont` and `shared` of later proposals decode so that errors can name them.

import type {
  CoreCompositeAst,
  CoreExternTypeAst,
  CoreFieldAst,
  CoreLimitsAst,
  CoreModuleDecl,
  CoreSubTypeAst,
  CoreTypeAst,
  CoreValTypeAst,
} from './ast.ts';
import type { Reader } from './reader.ts';

const NUMERIC = new Map<number, CoreValTypeAst>([
  [0x7f, 'i32'],
  [0x7e, 'i64'],
  [0x7d, 'f32'],
  [0x7c, 'f64'],
  [0x7b, 'v128'],
]);

const HEAP = new Map([
  [0x75, 'nocont'],
  [0x74, 'noexn'],
  [0x73, 'nofunc'],
  [0x72, 'noextern'],
  [0x71, 'none'],
  [0x70, 'func'],
  [0x6f, 'extern'],
  [0x6e, 'any'],
  [0x6d, 'eq'],
  [0x6c, 'i31'],
  [0x6b, 'struct'],
  [0x6a, 'array'],
  [0x69, 'exn'],
  [0x68, 'cont'],
]);

export function readCoreValType(r: Reader): CoreValTypeAst {
  const numeric = NUMERIC.get(r.peek());
  if (numeric === undefined) return readRefType(r);
  r.byte();
  return numeric;
}

export function readRefType(r: Reader): CoreValTypeAst {
  const byte = r.peek();
  if (byte === 0x63 || byte === 0x64) {
    r.byte();
    return { nullable: byte === 0x63, ...readHeapType(r) };
  }
  return { nullable: true, ...readAbstractHeapType(r) };
}

export function readHeapType(r: Reader): { shared: boolean; heap: string | number } {
  const byte = r.peek();
  // Single bytes from 0x40 on are negative numbers: keywords. All else is a type index.
  if (byte >= 0x40 && byte < 0x80) return readAbstractHeapType(r);
  const at = r.pos;
  const heap = r.s33();
  if (heap < 0) throw r.malformed('not a heap type', at);
  return { shared: false, heap };
}

function readAbstractHeapType(r: Reader): { shared: boolean; heap: string } {
  let byte = r.byte();
  const shared = byte === 0x65;
  if (shared) byte = r.byte();
  const heap = HEAP.get(byte);
  if (heap === undefined) throw r.unknown('a value type', byte);
  return { shared, heap };
}

export function readRecGroup(r: Reader): CoreTypeAst & { kind: 'rec' } {
  if (r.peek() !== 0x4e) return { kind: 'rec', types: [readSubType(r)] };
  r.byte();
  return { kind: 'rec', types: r.vec('types in a recursion group', r.limits.types, readSubType) };
}

function readSubType(r: Reader): CoreSubTypeAst {
  r.count('types');
  const byte = r.peek();
  if (byte !== 0x4f && byte !== 0x50) return { final: true, supers: [], ...readComposite(r) };
  r.byte();
  const supers = r.vec('supertypes', 1, (reader) => reader.u32());
  return { final: byte === 0x4f, supers, ...readComposite(r) };
}

function readComposite(r: Reader): { shared: boolean; type: CoreCompositeAst } {
  let byte = r.byte();
  const shared = byte === 0x65;
  if (shared) byte = r.byte();
  switch (byte) {
    case 0x60: {
      const params = r.vec('parameters', r.limits.params, readCoreValType);
      const results = r.vec('results', r.limits.params, readCoreValType);
      return { shared, type: { kind: 'func', params, results } };
    }
    case 0x5f:
      return { shared, type: { kind: 'struct', fields: r.vec('fields', r.limits.fields, readField) } };
    case 0x5e:
      return { shared, type: { kind: 'array', field: readField(r) } };
    case 0x5d: {
      const at = r.pos;
      const type = r.s33();
      if (type < 0) throw r.malformed('not a continuation type', at);
      return { shared, type: { kind: 'cont', type } };
    }
    default:
      throw r.unknown('a core type', byte);
  }
}

function readField(r: Reader): CoreFieldAst {
  const byte = r.peek();
  if (byte === 0x78 || byte === 0x77) {
    r.byte();
    return { type: byte === 0x78 ? 'i8' : 'i16', mutable: r.bool('a mutability') };
  }
  return { type: readCoreValType(r), mutable: r.bool('a mutability') };
}

// ---- what is imported and exported ----

export function readTableType(r: Reader): CoreExternTypeAst & { kind: 'table' } {
  const element = readRefType(r);
  const flags = r.byte();
  if (flags > 0b111) throw r.unknown('a set of table flags', flags);
  return { kind: 'table', element, limits: readLimits(r, flags) };
}

export function readMemoryType(r: Reader): CoreExternTypeAst & { kind: 'memory' } {
  const flags = r.byte();
  if (flags > 0b1111) throw r.unknown('a set of memory flags', flags);
  return { kind: 'memory', limits: readLimits(r, flags), pageSizeLog2: readPageSize(r, flags) };
}

/** As a power of two. */
export function readPageSize(r: Reader, flags: number): number {
  if (!(flags & 0b1000)) return 16;
  const at = r.pos;
  const log2 = r.u32();
  if (log2 > 16) throw r.malformed('invalid custom page size', at);
  return log2;
}

export function readLimits(r: Reader, flags: number): CoreLimitsAst {
  const min = r.u64();
  return { min, max: flags & 0b001 ? r.u64() : null, is64: !!(flags & 0b100), shared: !!(flags & 0b010) };
}

export function readGlobalType(r: Reader): CoreExternTypeAst & { kind: 'global' } {
  return { kind: 'global', type: readCoreValType(r), mutable: r.bool('a mutability') };
}

export function readTagType(r: Reader): CoreExternTypeAst & { kind: 'tag' } {
  const attribute = r.byte();
  if (attribute !== 0) throw r.unknown('a tag attribute', attribute);
  return { kind: 'tag', type: r.u32() };
}

export function readCoreExternType(r: Reader): CoreExternTypeAst {
  const byte = r.byte();
  switch (byte) {
    case 0x00:
      return { kind: 'func', type: r.u32() };
    case 0x01:
      return readTableType(r);
    case 0x02:
      return readMemoryType(r);
    case 0x03:
      return readGlobalType(r);
    case 0x04:
      return readTagType(r);
    default:
      throw r.unknown('a kind of core import or export', byte);
  }
}

// ---- core types inside components (Binary.md, `core:type`) ----

/** A bare 0x50 is a module type here; a non-final subtype is told apart by a leading 0x00. */
export function readCoreType(r: Reader): CoreTypeAst {
  const byte = r.peek();
  if (byte === 0x50) {
    r.byte();
    r.count('types');
    const decls = r.nested(() => r.vec('module type declarators', r.limits.entries, readModuleDecl));
    return { kind: 'module', decls };
  }
  if (byte === 0x00) skipSubPrefix(r);
  return readRecGroup(r);
}

function skipSubPrefix(r: Reader): void {
  r.byte();
  if (r.peek() !== 0x50) throw r.malformed('0x00 must be followed by a non-final subtype (0x50)');
}

function readModuleDecl(r: Reader): CoreModuleDecl {
  const byte = r.byte();
  switch (byte) {
    case 0x00:
      return { kind: 'import', module: r.name(), name: r.name(), type: readCoreExternType(r) };
    case 0x01:
      // Module types may not hold module types, so 0x50 can only be a subtype here.
      if (r.peek() === 0x00) skipSubPrefix(r);
      return { kind: 'type', type: readRecGroup(r) };
    case 0x02: {
      const sort = r.byte();
      if (sort !== 0x10) throw r.unknown('the sort of a core outer alias (0x10, type)', sort);
      const target = r.byte();
      if (target !== 0x01) throw r.unknown('the target of a core alias (0x01, outer)', target);
      r.count('types');
      return { kind: 'outer alias', count: r.u32(), index: r.u32() };
    }
    case 0x03:
      return { kind: 'export', name: r.name(), type: readCoreExternType(r) };
    default:
      throw r.unknown('a module type declarator', byte);
  }
}
