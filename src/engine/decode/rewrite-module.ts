// Changes a core module before V8 compiles it: caps what its memories and tables may grow to, and turns the start
// function into an export so that it can run where suspension is possible. Every other byte stays as it was.
// Invariant: capping only lowers maxima, so the module still satisfies whatever it satisfied when it is linked.

import { WitboxError } from '../../core/errors.ts';
import type { CoreLimitsAst } from './ast.ts';
import { skipConstExpr } from './const-expr.ts';
import { type CoreSection, readCoreSections, readExport } from './core-module.ts';
import { readLimits, readPageSize, readRefType } from './core-types.ts';
import { leb128 } from './leb128.ts';
import { Reader } from './reader.ts';

export interface ModuleCaps {
  /** For all memories that the module defines, together. */
  readonly memoryBytes: number;
  /** For all tables that the module defines, together. */
  readonly tableElements: number;
  /** Export the start function instead of starting it. */
  readonly exportStart?: boolean;
}

export interface RewrittenModule {
  /** The very bytes given, if nothing had to change. */
  readonly bytes: Uint8Array;
  /** Name of the export to call in place of the start function. */
  readonly start: string | null;
}

/** Bytes of the old module to replace. */
interface Patch {
  readonly from: number;
  readonly to: number;
  readonly bytes: readonly number[];
}

export function rewriteModule(bytes: Uint8Array, caps: ModuleCaps): RewrittenModule {
  const r = new Reader(bytes);
  r.section = 'core module';
  const sections = readCoreSections(r);
  const find = (id: number): CoreSection | undefined => sections.find((section) => section.id === id);
  const patches: Patch[] = [];
  patchSection(r, find(4), patches, capTables(r, caps));
  patchSection(r, find(5), patches, capMemories(r, caps));
  const start = caps.exportStart ? find(8) : undefined;
  const name = start === undefined ? null : exportStart(r, start, find(7), patches);
  return { bytes: apply(bytes, patches), start: name };
}

/** Replaces parts of a section and, where its length changed, its size. */
function patchSection(
  r: Reader,
  section: CoreSection | undefined,
  patches: Patch[],
  make: () => readonly Patch[],
): void {
  if (section === undefined) return;
  r.pos = section.body;
  r.end = section.end;
  const inner = make();
  if (inner.length === 0) return;
  const growth = inner.reduce((sum, patch) => sum + patch.bytes.length - (patch.to - patch.from), 0);
  const size = section.end - section.body + growth;
  patches.push({ from: section.start + 1, to: section.body, bytes: leb128(BigInt(size)) }, ...inner);
}

interface Capped {
  readonly limits: CoreLimitsAst;
  readonly flags: number;
  readonly from: number;
  readonly to: number;
  /** Size of one unit: a page, an element. */
  readonly unit: bigint;
}

function capMemories(r: Reader, caps: ModuleCaps): () => Patch[] {
  return () => {
    const memories = r.vec('memories', r.limits.memories, (): Capped => {
      const from = r.pos;
      const flags = r.byte();
      const limits = readLimits(r, flags);
      const to = r.pos;
      return { limits, flags, from, to, unit: 1n << BigInt(readPageSize(r, flags)) };
    });
    return cap(memories, caps.memoryBytes, 'bytes of memory', memoryCeiling);
  };
}

function capTables(r: Reader, caps: ModuleCaps): () => Patch[] {
  return () => {
    const tables = r.vec('tables', r.limits.tables, (): Capped => {
      const initialised = r.peek() === 0x40;
      if (initialised) r.take(2);
      readRefType(r);
      const from = r.pos;
      const flags = r.byte();
      const limits = readLimits(r, flags);
      const to = r.pos;
      if (initialised) skipConstExpr(r);
      return { limits, flags, from, to, unit: 1n };
    });
    return cap(tables, caps.tableElements, 'table elements', () => MAX_TABLE_ELEMENTS);
  };
}

/** What V8 stops at by itself; a module that may have all of it is left as it is. */
const memoryCeiling = ({ is64 }: CoreLimitsAst): bigint => 2n ** (is64 ? 34n : 32n);
const MAX_TABLE_ELEMENTS = 10_000_000n;

/** What the minima leave over of the cap is split evenly. */
function cap(
  items: readonly Capped[],
  total: number,
  what: string,
  ceiling: (limits: CoreLimitsAst) => bigint,
): Patch[] {
  const asked = items.reduce((sum, { limits, unit }) => sum + limits.min * unit, 0n);
  if (asked > BigInt(total)) throw new WitboxError('guest-over-limit', { asked, what, limit: total });
  const share = (BigInt(total) - asked) / BigInt(items.length || 1);
  return items.flatMap(({ limits, flags, from, to, unit }) => {
    const room = limits.min + share / unit;
    const most = ceiling(limits) / unit;
    if (limits.max === null ? room >= most : limits.max <= room) return [];
    // biome-ignore lint/complexity/useMathMinMax: Math.min takes no bigint
    const max = room < most ? room : most;
    return { from, to, bytes: [flags | 0b001, ...leb128(limits.min), ...leb128(max)] };
  });
}

/** The start section makes room for an export section, or goes and the export section grows. */
function exportStart(
  r: Reader,
  start: CoreSection,
  exports: CoreSection | undefined,
  patches: Patch[],
): string {
  r.section = 'core start section';
  r.pos = start.body;
  r.end = start.end;
  const func = r.u32();
  if (r.left > 0) throw r.malformed('section size mismatch');
  if (exports === undefined) {
    const entry = exportEntry('start', func);
    const body = [1, ...entry];
    patches.push({ from: start.start, to: start.end, bytes: [7, ...leb128(BigInt(body.length)), ...body] });
    return 'start';
  }
  patches.push({ from: start.start, to: start.end, bytes: [] });
  let name = 'start';
  patchSection(r, exports, patches, () => {
    r.section = 'core export section';
    const names = new Set(r.vec('exports', r.limits.entries, readExport).map((entry) => entry.name));
    for (let i = 1; names.has(name); i++) name = `start-${i}`;
    r.pos = exports.body;
    const count = r.u32();
    return [
      { from: exports.body, to: r.pos, bytes: leb128(BigInt(count + 1)) },
      { from: exports.end, to: exports.end, bytes: exportEntry(name, func) },
    ];
  });
  return name;
}

function exportEntry(name: string, func: number): number[] {
  const bytes = new TextEncoder().encode(name);
  return [bytes.length, ...bytes, 0x00, ...leb128(BigInt(func))];
}

function apply(bytes: Uint8Array, patches: readonly Patch[]): Uint8Array {
  if (patches.length === 0) return bytes;
  const sorted = patches.toSorted((a, b) => a.from - b.from || a.to - b.to);
  const growth = sorted.reduce((sum, patch) => sum + patch.bytes.length - (patch.to - patch.from), 0);
  const out = new Uint8Array(bytes.length + growth);
  let read = 0;
  let write = 0;
  for (const patch of sorted) {
    out.set(bytes.subarray(read, patch.from), write);
    write += patch.from - read;
    out.set(patch.bytes, write);
    write += patch.bytes.length;
    read = patch.to;
  }
  out.set(bytes.subarray(read), write);
  return out;
}
