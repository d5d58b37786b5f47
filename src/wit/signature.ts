// Functions as people read them in lists: `area(s: shape) -> result<f64, string>`. Types go by the names their
// component gives them, without saying where from; for text that tools read again see print.ts.

import { typeKey } from './print-homes.ts';
import { typeText } from './print-type.ts';
import { cleanText } from './text.ts';
import type { ComponentType, DefinedType, ExternType, FuncType, ResourceType, ValType } from './type.ts';

const MAX_LENGTH = 1000;
const MAX_TYPES = 300;

export function createSignatures(type: ComponentType): (func: FuncType) => string {
  const names = new Map<object, string>();
  const note = (items: ReadonlyMap<string, ExternType>): void => {
    for (const [name, item] of items) {
      if (item.kind === 'instance') note(item.type.exports);
      const key = item.kind === 'type' ? typeKey(item.type) : null;
      if (key && !names.has(key)) names.set(key, name);
    }
  };
  note(type.exports);
  note(type.imports);
  const nameOf = (defined: DefinedType): string => names.get(typeKey(defined)!) ?? defined.kind;
  return (func) => {
    let left = MAX_TYPES;
    const namer = {
      typeName: (value: ValType) => nameOf({ kind: 'value', type: value }),
      resourceName: (resource: ResourceType) => nameOf({ kind: 'resource', type: resource }),
      aliasName: () => (left < 0 ? '…' : undefined),
      spend: () => {
        left -= 1;
      },
    };
    const params = func.params.map((param) => `${param.name}: ${typeText(param.type, namer)}`).join(', ');
    const result = func.result === null ? '' : ` -> ${typeText(func.result, namer)}`;
    return cleanText(`(${params})${result}`, MAX_LENGTH);
  };
}
