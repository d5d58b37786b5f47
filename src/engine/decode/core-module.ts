// A core module's outline: types, imports, exports, memories, tables, and its custom sections. Function bodies, data
// and element segments are stepped over, never read, so the cost does not grow with the code: V8 checks those when it
// compiles. Offsets in errors are relative to `base`.

import { WitboxError } from '../../core/errors.ts';
import type { CoreExternTypeAst, CoreModuleAst, CoreTypeAst, CustomSection } from './ast.ts';
import { skipConstExpr } from './const-expr.ts';
import {
  readCoreExternType,
  readGlobalType,
  readMemoryType,
  readRecGroup,
  readTableType,
  readTagType,
} from './core-types.ts';
import type { DecodeLimits } from './limits.ts';
import { Reader } from './reader.ts';
import { NOT_WASM, sniff } from './sniff.ts';

/** Section names by id. */
const CORE_SECTIONS = [
  'custom',
  'type',
  'import',
  'function',
  'table',
  'memory',
  'global',
  'export',
  'start',
  'element',
  'code',
  'data',
  'data count',
  'tag',
] as const;

/** The order in which sections must stand; later proposals' ids do not follow it. */
const ORDER = [0, 1, 2, 3, 4, 5, 7, 8, 9, 10, 12, 13, 11, 6];

const EXPORT_KINDS = ['func', 'table', 'memory', 'global', 'tag'] as const;

export interface CoreSection {
  readonly id: number;
  /** Of the section's id byte, of its contents, and after them. */
  readonly start: number;
  readonly body: number;
  readonly end: number;
}

/** Walks the section headers of a module that fills `reader` up to its `end`; checks preamble, sizes and order. */
export function readCoreSections(r: Reader): CoreSection[] {
  const at = r.pos;
  const kind = sniff(r.bytes.subarray(r.pos, r.end));
  if (kind !== 'module') {
    throw r.malformed(
      `expected a core module, found ${kind === 'component' ? 'a component' : NOT_WASM[kind.not]}`,
      at,
    );
  }
  r.pos += 8;
  const sections: CoreSection[] = [];
  let last = 0;
  while (r.pos < r.end) {
    r.count('items');
    const start = r.pos;
    const id = r.byte();
    const order = ORDER[id];
    if (order === undefined) throw r.unknown('the id of a core section', id);
    if (id !== 0) {
      if (order <= last) throw r.malformed(`${CORE_SECTIONS[id]} section out of order`, start);
      last = order;
    }
    const size = r.u32();
    const body = r.pos;
    r.take(size);
    sections.push({ id, start, body, end: r.pos });
  }
  return sections;
}

export function decodeCoreModule(bytes: Uint8Array, limits?: Partial<DecodeLimits>, base = 0): CoreModuleAst {
  const kind = sniff(bytes);
  if (kind !== 'module') {
    const found = kind === 'component' ? 'a component' : NOT_WASM[kind.not];
    throw new WitboxError('wasm-expected', { expected: 'a core module', found });
  }
  const r = new Reader(bytes, limits, base);
  const module = emptyModule();
  r.section = 'core module';
  for (const section of readCoreSections(r)) {
    r.section = `core ${CORE_SECTIONS[section.id]} section`;
    r.pos = section.body;
    r.end = section.end;
    if (readSection(r, section.id, module) && r.pos !== r.end) {
      throw r.malformed(`section size mismatch, ${r.left} bytes left over`);
    }
  }
  return module;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] extends readonly (infer U)[] ? U[] : T[K] };

function emptyModule(): Mutable<CoreModuleAst> {
  return {
    types: [],
    imports: [],
    functions: [],
    tables: [],
    memories: [],
    globals: [],
    tags: [],
    exports: [],
    start: null,
    customs: [],
  };
}

/** False for a section that is stepped over. */
function readSection(r: Reader, id: number, module: Mutable<CoreModuleAst>): boolean {
  const { limits } = r;
  switch (CORE_SECTIONS[id]) {
    case 'custom':
      module.customs.push(readCustom(r));
      return true;
    case 'type':
      module.types = r.vec<CoreTypeAst>('types', limits.types, readRecGroup);
      return true;
    case 'import':
      module.imports = r.vec('imports', limits.entries, (reader) => {
        const entry = { module: reader.name(), name: reader.name(), type: readCoreExternType(reader) };
        addImported(module, entry.type);
        return entry;
      });
      return true;
    case 'function':
      for (const type of r.vec('functions', limits.entries, (reader) => reader.u32()))
        module.functions.push(type);
      return true;
    case 'table':
      module.tables.push(...r.vec('tables', limits.tables, readTable));
      return true;
    case 'memory':
      module.memories.push(...r.vec('memories', limits.memories, readMemoryType));
      return true;
    case 'tag':
      for (const tag of r.vec('tags', limits.entries, readTagType)) module.tags.push(tag);
      return true;
    case 'global':
      for (const global of r.vec('globals', limits.entries, readGlobal)) module.globals.push(global);
      return true;
    case 'export':
      module.exports = r.vec('exports', limits.entries, readExport);
      return true;
    case 'start':
      module.start = r.u32();
      return true;
    default:
      return false;
  }
}

export function readCustom(r: Reader): CustomSection {
  return { name: r.name(), bytes: r.take(r.left) };
}

function addImported(module: Mutable<CoreModuleAst>, type: CoreExternTypeAst): void {
  switch (type.kind) {
    case 'func':
      module.functions.push(type.type);
      break;
    case 'table':
      module.tables.push(type);
      break;
    case 'memory':
      module.memories.push(type);
      break;
    case 'global':
      module.globals.push(type);
      break;
    case 'tag':
      module.tags.push(type);
  }
}

/** 0x40 0x00 announces an initial value after the type. */
function readTable(r: Reader): CoreExternTypeAst & { kind: 'table' } {
  if (r.peek() !== 0x40) return readTableType(r);
  r.byte();
  const reserved = r.byte();
  if (reserved !== 0) throw r.unknown('the reserved byte of a table (0x00)', reserved);
  const type = readTableType(r);
  skipConstExpr(r);
  return type;
}

function readGlobal(r: Reader): CoreExternTypeAst & { kind: 'global' } {
  const type = readGlobalType(r);
  skipConstExpr(r);
  return type;
}

export function readExport(r: Reader): CoreModuleAst['exports'][number] {
  const name = r.name();
  const byte = r.byte();
  const kind = EXPORT_KINDS[byte];
  if (kind === undefined) throw r.unknown('a kind of core export', byte);
  return { name, kind, index: r.u32() };
}
