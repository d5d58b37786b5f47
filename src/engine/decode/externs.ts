// Names, sorts, aliases and the types of imports and exports, as components and component types write them.
// Which sorts may stand where is part of the grammar (Binary.md, "Instance", "Alias", "Import and Export Definitions").

import type { AliasAst, CoreSort, ExternName, ExternTypeAst, Sort, SortIndex, ValTypeAst } from './ast.ts';
import type { Reader } from './reader.ts';
import { readValType } from './val-types.ts';

const CORE_EXPORT_SORTS: readonly (CoreSort | undefined)[] = ['func', 'table', 'memory', 'global', 'tag'];
const OUTER_SORTS: readonly Sort[] = ['core type', 'core module', 'type', 'component'];

const SORTS: readonly (Sort | undefined)[] = [undefined, 'func', 'value', 'type', 'component', 'instance'];
const CORE_SORTS = new Map<number, CoreSort>([
  [0x00, 'func'],
  [0x01, 'table'],
  [0x02, 'memory'],
  [0x03, 'global'],
  [0x04, 'tag'],
  [0x10, 'type'],
  [0x11, 'module'],
  [0x12, 'instance'],
]);

function readSort(r: Reader): Sort {
  const byte = r.byte();
  if (byte === 0x00) {
    const core = r.byte();
    const sort = CORE_SORTS.get(core);
    if (sort === undefined) throw r.unknown('a core sort', core);
    return `core ${sort}`;
  }
  const sort = SORTS[byte];
  if (sort === undefined) throw r.unknown('a sort', byte);
  return sort;
}

/** Of all core sorts only modules can be given to, and taken from, components. */
export function readSortIndex(r: Reader): SortIndex {
  const at = r.pos;
  const sort = readSort(r);
  if (sort.startsWith('core ') && sort !== 'core module') throw r.malformed(`${sort} cannot stand here`, at);
  return { sort, index: r.u32() };
}

export function readCoreExportSort(r: Reader): CoreSort {
  const byte = r.byte();
  const sort = CORE_EXPORT_SORTS[byte];
  if (sort === undefined) throw r.unknown('a sort of core export', byte);
  return sort;
}

export function readAlias(r: Reader): AliasAst {
  const at = r.pos;
  const sort = readSort(r);
  const target = r.byte();
  const core = sort.startsWith('core ') ? (sort.slice(5) as CoreSort) : null;
  switch (target) {
    case 0x00:
      if (core !== null && core !== 'module') throw r.malformed(`${sort} is not exported by instances`, at);
      return { kind: 'export', sort, instance: r.u32(), name: r.name() };
    case 0x01:
      if (core === null || !CORE_EXPORT_SORTS.includes(core)) {
        throw r.malformed(`${sort} is not exported by core instances`, at);
      }
      return { kind: 'core export', sort: core, instance: r.u32(), name: r.name() };
    case 0x02:
      if (!OUTER_SORTS.includes(sort))
        throw r.malformed(`${sort} cannot be aliased from an outer component`, at);
      return { kind: 'outer', sort, count: r.u32(), index: r.u32() };
    default:
      throw r.unknown('the target of an alias', target);
  }
}

const ATTRIBUTES = ['implements', 'versionSuffix', 'externalId'] as const;

/** 0x00 and 0x01 mean the same; 0x02 is followed by attributes, each kind at most once. */
export function readExternName(r: Reader): ExternName {
  const byte = r.byte();
  if (byte > 0x02) throw r.unknown('the start of an import or export name', byte);
  const result: { -readonly [K in keyof ExternName]: ExternName[K] } = { name: r.name() };
  if (byte !== 0x02) return result;
  r.vec('name attributes', ATTRIBUTES.length, () => {
    const code = r.byte();
    const attribute = ATTRIBUTES[code];
    if (attribute === undefined) throw r.unknown('a name attribute', code);
    if (result[attribute] !== undefined)
      throw r.malformed(`duplicate name attribute "${attribute}"`, r.pos - 1);
    result[attribute] = r.name();
  });
  return result;
}

export function readExternType(r: Reader): ExternTypeAst {
  const at = r.pos;
  const sort = readSort(r);
  switch (sort) {
    case 'core module':
    case 'func':
    case 'component':
    case 'instance':
      return { kind: sort, type: r.u32() };
    case 'value': {
      const bound = readBound(r, 'a value bound', (reader): ValTypeAst => readValType(reader));
      return bound.eq === null ? { kind: 'value', type: bound.other } : { kind: 'value eq', value: bound.eq };
    }
    case 'type': {
      const bound = readBound(r, 'a type bound', () => null);
      return bound.eq === null ? { kind: 'type sub resource' } : { kind: 'type eq', type: bound.eq };
    }
    default:
      throw r.malformed(`${sort} cannot be imported or exported`, at);
  }
}

function readBound<T>(
  r: Reader,
  what: string,
  other: (reader: Reader) => T,
): { eq: number } | { eq: null; other: T } {
  return r.bool(what) ? { eq: null, other: other(r) } : { eq: r.u32() };
}
