// Whether one core item can stand where another is asked for. Each function gives null if it can, or the reason.

import type { CoreExternType, CoreFuncType, CoreLimits, CoreModuleType } from '../../wit/type.ts';
import { coreFuncSpelling } from './core-types.ts';
import { quote } from './refuse.ts';

export function mismatchCoreExtern(actual: CoreExternType, expected: CoreExternType): string | null {
  switch (expected.kind) {
    case 'func':
    case 'tag':
      if (actual.kind !== expected.kind) break;
      return isCoreSubFunc(actual.type, expected.type)
        ? null
        : `expected ${spellFunc(expected.type)}, found ${spellFunc(actual.type)}`;
    case 'table':
      if (actual.kind !== 'table') break;
      if (actual.element !== expected.element) {
        return `expected table element type ${expected.element}, found ${actual.element}`;
      }
      return mismatchLimits(actual.limits, expected.limits, 'table');
    case 'memory':
      if (actual.kind !== 'memory') break;
      if (actual.pageSizeLog2 !== expected.pageSizeLog2) return 'mismatch in page size for memories';
      return mismatchLimits(actual.limits, expected.limits, 'memory');
    case 'global':
      if (actual.kind !== 'global') break;
      if (actual.mutable !== expected.mutable) return 'global types differ in mutability';
      return actual.type === expected.type
        ? null
        : `expected global type ${expected.type}, found ${actual.type}`;
  }
  return `expected ${expected.kind}, found ${actual.kind}`;
}

/** A module that imports no more and exports no less. */
export function mismatchModule(actual: CoreModuleType, expected: CoreModuleType): string | null {
  const given = new Map(expected.imports.map((one) => [JSON.stringify([one.module, one.name]), one.type]));
  for (const { module, name, type } of actual.imports) {
    const offered = given.get(JSON.stringify([module, name]));
    if (!offered) return `missing expected import ${quote(name)} from ${quote(module)}`;
    const reason = mismatchCoreExtern(offered, type);
    if (reason) return `type mismatch in import ${quote(name)} from ${quote(module)}: ${reason}`;
  }
  const exports = new Map(actual.exports.map((one) => [one.name, one.type]));
  for (const { name, type } of expected.exports) {
    const found = exports.get(name);
    if (!found) return `missing expected export ${quote(name)}`;
    const reason = mismatchCoreExtern(found, type);
    if (reason) return `type mismatch in export ${quote(name)}: ${reason}`;
  }
  return null;
}

function isCoreSubFunc(actual: CoreFuncType, expected: CoreFuncType): boolean {
  if (!actual.lineage && !expected.lineage) return sameSignature(actual, expected);
  const wanted = coreFuncSpelling(expected);
  return (actual.lineage ?? [coreFuncSpelling(actual)]).includes(wanted);
}

export function sameSignature(a: CoreFuncType, b: CoreFuncType): boolean {
  return sameList(a.params, b.params) && sameList(a.results, b.results);
}

export function sameList(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((one, index) => one === b[index]);
}

export function spellFunc(type: CoreFuncType): string {
  return `[${type.params.join(' ')}] -> [${type.results.join(' ')}]`;
}

function mismatchLimits(actual: CoreLimits, expected: CoreLimits, kind: string): string | null {
  if (actual.shared !== expected.shared) return `mismatch in the shared flag of a ${kind}`;
  if (actual.is64 !== expected.is64) return `mismatch in the index type of a ${kind}`;
  const fits =
    actual.min >= expected.min &&
    (expected.max === null || (actual.max !== null && actual.max <= expected.max));
  return fits ? null : `mismatch in ${kind} limits`;
}
