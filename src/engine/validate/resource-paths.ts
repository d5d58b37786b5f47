// Where resources stand in a list of imports or exports, and which resources a type mentions without binding them.

import type {
  DefinedType,
  ExternType,
  FuncType,
  InstanceType,
  ResourceType,
  ValType,
} from '../../wit/type.ts';

export type Items = ReadonlyMap<string, ExternType>;

/** For each resource type exported below `items`: the names on the way to the first place where it stands. */
export function resourcePaths(items: Items): Map<ResourceType, readonly string[]> {
  const paths = new Map<ResourceType, readonly string[]>();
  collectPaths(items, [], paths);
  return paths;
}

function collectPaths(
  items: Items,
  above: readonly string[],
  paths: Map<ResourceType, readonly string[]>,
): void {
  for (const [name, item] of items) {
    if (item.kind === 'instance') collectPaths(item.type.exports, [...above, name], paths);
    else if (item.kind === 'type' && item.type.kind === 'resource' && !paths.has(item.type.type)) {
      paths.set(item.type.type, [...above, name]);
    }
  }
}

/** The item at the end of a path of names, if every name on it leads somewhere. */
export function itemAt(items: Items, path: readonly string[]): ExternType | undefined {
  let item: ExternType | undefined;
  let level: Items | undefined = items;
  for (const name of path) {
    item = level?.get(name);
    level = item?.kind === 'instance' ? item.type.exports : undefined;
  }
  return item;
}

/** Called for every value type visited: false if it need not be looked into. */
export type Visit = (type: ValType) => boolean;

export function freeInItems(items: Items, free: Set<ResourceType>, visit: Visit): void {
  for (const item of items.values()) freeInExtern(item, free, visit);
}

function freeInExtern(item: ExternType, free: Set<ResourceType>, visit: Visit): void {
  switch (item.kind) {
    case 'module':
      return;
    case 'func':
      freeInFunc(item.type, free, visit);
      break;
    case 'type':
      freeInDefined(item.type, free, visit);
      break;
    default:
      freeInDefined(item, free, visit);
      break;
  }
}

export function freeInDefined(type: DefinedType, free: Set<ResourceType>, visit: Visit): void {
  switch (type.kind) {
    case 'resource':
      free.add(type.type);
      return;
    case 'value':
      freeInVal(type.type, free, visit);
      break;
    case 'func':
      freeInFunc(type.type, free, visit);
      break;
    case 'instance':
      freeInInstance(type.type, free, visit);
      break;
    case 'component': {
      const { imports, exports, importedResources, definedResources } = type.type;
      const inside = new Set<ResourceType>();
      freeInItems(imports, inside, visit);
      freeInItems(exports, inside, visit);
      addUnbound(inside, [...importedResources, ...definedResources], free);
    }
  }
}

function freeInInstance(type: InstanceType, free: Set<ResourceType>, visit: Visit): void {
  if (type.fresh.length === 0) {
    freeInItems(type.exports, free, visit);
    return;
  }
  const inside = new Set<ResourceType>();
  freeInItems(type.exports, inside, visit);
  addUnbound(inside, type.fresh, free);
}

function addUnbound(
  inside: Set<ResourceType>,
  bound: readonly ResourceType[],
  free: Set<ResourceType>,
): void {
  for (const resource of bound) inside.delete(resource);
  for (const resource of inside) free.add(resource);
}

function freeInFunc(type: FuncType, free: Set<ResourceType>, visit: Visit): void {
  for (const param of type.params) freeInVal(param.type, free, visit);
  if (type.result) freeInVal(type.result, free, visit);
}

function freeInVal(type: ValType, free: Set<ResourceType>, visit: Visit): void {
  if (!visit(type)) return;
  if (type.kind === 'own' || type.kind === 'borrow') free.add(type.resource);
  else for (const part of partsOf(type)) freeInVal(part, free, visit);
}

/** The types a value type is made of, directly. */
export function partsOf(type: ValType): readonly ValType[] {
  switch (type.kind) {
    case 'record':
      return type.fields.map((field) => field.type);
    case 'variant':
      return type.cases.flatMap((one) => one.type ?? []);
    case 'tuple':
      return type.items;
    case 'list':
    case 'fixed-list':
      return [type.element];
    case 'stream':
    case 'future':
      return type.element ? [type.element] : [];
    case 'option':
      return [type.some];
    case 'result':
      return [type.ok, type.err].filter((one) => one !== null);
    case 'map':
      return [type.key, type.value];
    default:
      return [];
  }
}
