// Records, variants, enums, flags and resources that an import or export mentions must themselves have been imported
// or exported before it, under the very index used ("external visibility"): nobody could name them otherwise.

import type { DefinedType, ExternType, FuncType, InstanceType, ValType } from '../../wit/type.ts';
import type { Direction } from './extern-names.ts';
import { partsOf } from './resource-paths.ts';
import type { Scope, Side } from './scope.ts';

/** False if the item mentions a type without a name. Types that the item introduces have names from now on. */
export function registerNamed(scope: Scope, direction: Direction, item: ExternType): boolean {
  // What an instance type mentions is checked where the instance is imported or exported.
  if (scope.kind === 'instance type') return true;
  return register(scope, direction, item);
}

function register(scope: Scope, direction: Direction, item: ExternType): boolean {
  const side = direction === 'import' ? scope.imports : scope.exports;
  switch (item.kind) {
    case 'type': {
      const { type } = item;
      if (!isDefinedNamed(scope, side, type)) return false;
      const named = type.kind === 'value' ? type.type : type.kind === 'resource' ? type : null;
      if (named) {
        side.named.add(named);
        if (direction === 'import') scope.exports.named.add(named);
      }
      return true;
    }
    case 'instance':
      for (const one of item.type.exports.values()) {
        if (!register(scope, direction, one)) return false;
      }
      return true;
    case 'func':
      return isFuncNamed(scope, side, item.type);
    default:
      return true;
  }
}

/** Whether everything the type is made of has a name; the type itself need not. */
function isDefinedNamed(scope: Scope, side: Side, type: DefinedType): boolean {
  switch (type.kind) {
    case 'value':
      return arePartsNamed(scope, side, type.type);
    case 'func':
      return isFuncNamed(scope, side, type.type);
    case 'instance':
      return isInstanceNamed(scope, side, type.type);
    default:
      return true;
  }
}

function isInstanceNamed(scope: Scope, side: Side, type: InstanceType): boolean {
  for (const item of type.exports.values()) {
    if (item.kind === 'module') continue;
    if (!isDefinedNamed(scope, side, item.kind === 'type' ? item.type : item)) return false;
  }
  return true;
}

function isFuncNamed(scope: Scope, side: Side, type: FuncType): boolean {
  return (
    type.params.every((param) => isValNamed(scope, side, param.type)) &&
    (type.result === null || isValNamed(scope, side, type.result))
  );
}

function isValNamed(scope: Scope, side: Side, type: ValType): boolean {
  switch (type.kind) {
    case 'record':
    case 'variant':
    case 'enum':
    case 'flags':
      return side.named.has(type);
    default:
      return arePartsNamed(scope, side, type);
  }
}

function arePartsNamed(scope: Scope, side: Side, type: ValType): boolean {
  if (type.kind === 'own' || type.kind === 'borrow') {
    return side.named.has(scope.session.handleNames.get(type)!);
  }
  return partsOf(type).every((part) => isValNamed(scope, side, part));
}
