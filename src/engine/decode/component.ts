// Bytes to the tree of `ast.ts`: the sections of a component and of the components within it, in order. Strict: every
// section is read to its last byte or refused with section and offset. Nothing is resolved and no code is read.

import { WitboxError } from '../../core/errors.ts';
import type { ComponentAst, CoreInstanceExpr, CustomSection, Definition, InstanceExpr } from './ast.ts';
import { readCanon } from './canon.ts';
import { readCoreSections, readCustom } from './core-module.ts';
import { readCoreType } from './core-types.ts';
import { readAlias, readCoreExportSort, readExternName, readExternType, readSortIndex } from './externs.ts';
import type { DecodeLimits } from './limits.ts';
import { Reader } from './reader.ts';
import { NOT_WASM, sniff } from './sniff.ts';
import { readType } from './types.ts';
import { readValType } from './val-types.ts';

const SECTIONS = [
  'custom section',
  'core module section',
  'core instance section',
  'core type section',
  'component section',
  'instance section',
  'alias section',
  'type section',
  'canon section',
  'start section',
  'import section',
  'export section',
  'value section',
] as const;

export function decodeComponent(bytes: Uint8Array, limits?: Partial<DecodeLimits>): ComponentAst {
  const kind = sniff(bytes);
  if (kind !== 'component') {
    const found = kind === 'module' ? 'a core module' : NOT_WASM[kind.not];
    throw new WitboxError('wasm-expected', { expected: 'a component', found });
  }
  return readComponent(new Reader(bytes, limits));
}

function readComponent(r: Reader): ComponentAst {
  const start = r.at;
  if (sniff(r.bytes.subarray(r.pos, r.end)) !== 'component') {
    throw r.malformed('a component must start with "\\0asm", version 13, layer 1');
  }
  r.count('components');
  r.pos += 8;
  const definitions: Definition[] = [];
  const customs: CustomSection[] = [];
  while (r.pos < r.end) {
    r.section = 'component';
    r.count('items');
    const id = r.byte();
    const name = SECTIONS[id];
    if (name === undefined) throw r.unknown('the id of a component section', id);
    r.section = name;
    r.sized(() => readSection(r, name, definitions, customs));
  }
  return { definitions, customs, start, end: r.at };
}

function readSection(
  r: Reader,
  name: (typeof SECTIONS)[number],
  definitions: Definition[],
  customs: CustomSection[],
): void {
  const at = r.at;
  switch (name) {
    case 'custom section':
      customs.push(readCustom(r));
      return;
    case 'core module section':
      definitions.push({ at, kind: 'core module', bytes: readModule(r) });
      return;
    case 'component section':
      definitions.push({ at, kind: 'component', component: r.nested(() => readComponent(r)) });
      // The innermost section read was one of that component.
      r.section = name;
      return;
    case 'start section': {
      const func = r.u32();
      const args = r.vec('start arguments', r.limits.params, (reader) => reader.u32());
      definitions.push({ at, kind: 'start', func, args, results: r.u32() });
      return;
    }
    default:
      r.vec('definitions', r.limits.entries, () => definitions.push(readDefinition(r, name)));
  }
}

/** The module's section headers are checked here; its contents where they are needed. */
function readModule(r: Reader): Uint8Array {
  r.count('modules');
  const start = r.pos;
  readCoreSections(r);
  return r.bytes.subarray(start, r.end);
}

type VectorSection = Exclude<
  (typeof SECTIONS)[number],
  'custom section' | 'core module section' | 'component section' | 'start section'
>;

function readDefinition(r: Reader, section: VectorSection): Definition {
  const at = r.at;
  switch (section) {
    case 'core instance section':
      return { at, kind: 'core instance', expr: readCoreInstance(r) };
    case 'core type section':
      return { at, kind: 'core type', type: readCoreType(r) };
    case 'instance section':
      return { at, kind: 'instance', expr: readInstance(r) };
    case 'alias section':
      return { at, kind: 'alias', alias: readAlias(r) };
    case 'type section':
      return { at, kind: 'type', type: readType(r) };
    case 'canon section':
      return { at, kind: 'canon', canon: readCanon(r) };
    case 'import section':
      return { at, kind: 'import', name: readExternName(r), type: readExternType(r) };
    case 'export section': {
      const name = readExternName(r);
      const item = readSortIndex(r);
      return { at, kind: 'export', name, item, type: r.bool('an optional type') ? readExternType(r) : null };
    }
    case 'value section': {
      const type = readValType(r);
      return { at, kind: 'value', type, bytes: r.take(r.u32()) };
    }
  }
}

function readCoreInstance(r: Reader): CoreInstanceExpr {
  r.count('instances');
  const byte = r.byte();
  if (byte === 0x00) {
    const module = r.u32();
    const args = r.vec('instantiation arguments', r.limits.entries, () => {
      const name = r.name();
      const sort = r.byte();
      if (sort !== 0x12) throw r.unknown('the sort of a core instantiation argument (0x12, instance)', sort);
      return { name, instance: r.u32() };
    });
    return { kind: 'instantiate', module, args };
  }
  if (byte !== 0x01) throw r.unknown('a core instance', byte);
  const exports = r.vec('exports', r.limits.entries, () => ({
    name: r.name(),
    sort: readCoreExportSort(r),
    index: r.u32(),
  }));
  return { kind: 'exports', exports };
}

function readInstance(r: Reader): InstanceExpr {
  r.count('instances');
  const byte = r.byte();
  if (byte === 0x00) {
    const component = r.u32();
    const args = r.vec('instantiation arguments', r.limits.entries, () => ({
      name: r.name(),
      item: readSortIndex(r),
    }));
    return { kind: 'instantiate', component, args };
  }
  if (byte !== 0x01) throw r.unknown('an instance', byte);
  const exports = r.vec('exports', r.limits.entries, () => ({
    name: readExternName(r),
    item: readSortIndex(r),
  }));
  return { kind: 'exports', exports };
}
