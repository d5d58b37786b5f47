// What a type contains, however deep. Types share parts, so every part is looked at once.

import type { ResourceType, ValType } from './type.ts';

export interface TypeSearch {
  /** All resources whose handles occur. */
  resources(types: readonly ValType[]): ReadonlySet<ResourceType>;
  /** Whether a stream, future or error-context occurs. */
  needsAsync(types: readonly ValType[]): boolean;
}

interface Found {
  readonly resources: ReadonlySet<ResourceType>;
  readonly needsAsync: boolean;
}

export function createTypeSearch(): TypeSearch {
  const memo = new Map<ValType, Found>();
  const find = (type: ValType): Found => {
    const known = memo.get(type);
    if (known) return known;
    const inner = partsOf(type).map(find);
    const resources = new Set(inner.flatMap((found) => [...found.resources]));
    if (type.kind === 'own' || type.kind === 'borrow') resources.add(type.resource);
    const isAsync = type.kind === 'stream' || type.kind === 'future' || type.kind === 'error-context';
    const found = { resources, needsAsync: isAsync || inner.some((part) => part.needsAsync) };
    memo.set(type, found);
    return found;
  };
  return {
    resources: (types) => new Set(types.flatMap((type) => [...find(type).resources])),
    needsAsync: (types) => types.some((type) => find(type).needsAsync),
  };
}

function partsOf(type: ValType): readonly ValType[] {
  switch (type.kind) {
    case 'record':
      return type.fields.map((field) => field.type);
    case 'variant':
      return type.cases.flatMap((each) => each.type ?? []);
    case 'list':
    case 'fixed-list':
      return [type.element];
    case 'stream':
    case 'future':
      return type.element ? [type.element] : [];
    case 'tuple':
      return type.items;
    case 'option':
      return [type.some];
    case 'result':
      return [...(type.ok ? [type.ok] : []), ...(type.err ? [type.err] : [])];
    case 'map':
      return [type.key, type.value];
    default:
      return [];
  }
}
