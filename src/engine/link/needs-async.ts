// Tells whether a component's world needs WASI 0.3: asynchronous functions, streams, futures. What a component does
// with such things only inside itself is found out when it runs.

import type { ComponentType, ExternType, FuncType, ValType } from '../../wit/type.ts';
import { partsOf } from '../validate/resource-paths.ts';

/** The first thing that cannot be done without, or null. */
export function needsAsync(type: ComponentType): string | null {
  const seen = new Set<ValType>();

  function inItems(items: ReadonlyMap<string, ExternType>): string | null {
    for (const [name, item] of items) {
      const found = inExtern(item);
      if (found !== null) return found.includes('"') ? found : `${found} ("${name}")`;
    }
    return null;
  }
  function inExtern(item: ExternType): string | null {
    switch (item.kind) {
      case 'func':
        return inFunc(item.type);
      case 'instance':
        return inItems(item.type.exports);
      case 'type':
        return item.type.kind === 'value' ? inVal(item.type.type) : null;
      default:
        return null;
    }
  }
  function inFunc(func: FuncType): string | null {
    if (func.async) return 'an async function';
    for (const param of func.params) {
      const found = inVal(param.type);
      if (found !== null) return found;
    }
    return func.result === null ? null : inVal(func.result);
  }
  function inVal(val: ValType): string | null {
    if (val.kind === 'stream' || val.kind === 'future') return `a ${val.kind}`;
    if (seen.has(val)) return null;
    seen.add(val);
    for (const part of partsOf(val)) {
      const found = inVal(part);
      if (found !== null) return found;
    }
    return null;
  }

  return inItems(type.imports) ?? inItems(type.exports);
}
