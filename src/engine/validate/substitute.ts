// Replaces resources in types: when a component is instantiated, what it imported becomes what was given, and what it
// defines becomes new. Named types that were given are carried over as the same objects, so that the names under which
// they were introduced stay theirs. Types that mention nothing replaced stay the same objects.

import type {
  ComponentType,
  DefinedType,
  ExternType,
  FuncType,
  InstanceType,
  ResourceType,
  ValType,
} from '../../wit/type.ts';
import { isPrimitive, type ResourceName } from './facts.ts';
import { factsOf, type Session, spend, weightOf } from './scope.ts';

export interface Substitution {
  readonly session: Session;
  readonly at: number;
  readonly resources: ReadonlyMap<ResourceType, ResourceType>;
  /** What became of a type: given renamings, and results so far. */
  readonly done: Map<object, object>;
}

export function createSubstitution(
  session: Session,
  at: number,
  resources: ReadonlyMap<ResourceType, ResourceType>,
): Substitution {
  return { session, at, resources, done: new Map() };
}

/** Records that named types asked for in `expected` are from now on those given in `actual`. */
export function renameTypes(actual: ExternType, expected: ExternType, sub: Substitution): void {
  spend(sub.session, sub.at);
  if (expected.kind === 'instance' && actual.kind === 'instance') {
    for (const [name, asked] of expected.type.exports) {
      renameTypes(actual.type.exports.get(name)!, asked, sub);
    }
  } else if (expected.kind === 'type' && actual.kind === 'type') {
    const [from, to] = [expected.type, actual.type];
    if (from.kind === 'resource' && to.kind === 'resource') sub.done.set(from, to);
    // Primitive types are single objects, shared by all and never named.
    if (from.kind === 'value' && to.kind === 'value' && !isPrimitive(from.type)) {
      sub.done.set(from.type, to.type);
    }
  }
}

export function substituteItems(
  items: ReadonlyMap<string, ExternType>,
  sub: Substitution,
): ReadonlyMap<string, ExternType> {
  let changed = false;
  const result = new Map<string, ExternType>();
  for (const [name, item] of items) {
    const next = substituteExtern(item, sub);
    changed ||= next !== item;
    result.set(name, next);
  }
  return changed ? result : items;
}

function substituteExtern(item: ExternType, sub: Substitution): ExternType {
  switch (item.kind) {
    case 'module':
      return item;
    case 'type': {
      const type = substituteDefined(item.type, sub);
      return type === item.type ? item : { kind: 'type', type };
    }
    case 'func': {
      const type = substituteFunc(item.type, sub);
      return type === item.type ? item : { kind: 'func', type };
    }
    case 'instance': {
      const type = substituteInstance(item.type, sub);
      return type === item.type ? item : { kind: 'instance', type };
    }
    case 'component': {
      const type = substituteComponent(item.type, sub);
      return type === item.type ? item : { kind: 'component', type };
    }
  }
}

function substituteDefined(defined: DefinedType, sub: Substitution): DefinedType {
  switch (defined.kind) {
    case 'resource':
      return substituteName(defined, sub);
    case 'value': {
      const type = substituteVal(defined.type, sub);
      return type === defined.type ? defined : { kind: 'value', type };
    }
    case 'func':
    case 'instance':
    case 'component':
      return substituteExtern(defined, sub) as DefinedType;
  }
}

function substituteName(name: ResourceName, sub: Substitution): ResourceName {
  return once(name, sub, () => {
    const type = sub.resources.get(name.type);
    return type ? { kind: 'resource', type } : name;
  });
}

function substituteFunc(type: FuncType, sub: Substitution): FuncType {
  return once(type, sub, () => {
    const params = mapSame(type.params, (param) => {
      const next = substituteVal(param.type, sub);
      return next === param.type ? param : { name: param.name, type: next };
    });
    const result = type.result && substituteVal(type.result, sub);
    if (params === type.params && result === type.result) return type;
    return weightLike(type, { params, result, async: type.async }, sub);
  });
}

function substituteInstance(type: InstanceType, sub: Substitution): InstanceType {
  return once(type, sub, () => {
    const exports = substituteItems(type.exports, sub);
    if (exports === type.exports) return type;
    return weightLike(type, { exports, fresh: type.fresh }, sub);
  });
}

function substituteComponent(type: ComponentType, sub: Substitution): ComponentType {
  return once(type, sub, () => {
    const imports = substituteItems(type.imports, sub);
    const exports = substituteItems(type.exports, sub);
    if (imports === type.imports && exports === type.exports) return type;
    return weightLike(type, { ...type, imports, exports }, sub);
  });
}

function substituteVal(type: ValType, sub: Substitution): ValType {
  if (isPrimitive(type)) return type;
  return once(type, sub, () => {
    const next = substituteParts(type, sub);
    if (next !== type) sub.session.facts.set(next, factsOf(sub.session, type));
    return next;
  });
}

function substituteParts(type: ValType, sub: Substitution): ValType {
  switch (type.kind) {
    case 'record': {
      const fields = mapSame(type.fields, (field) => {
        const next = substituteVal(field.type, sub);
        return next === field.type ? field : { name: field.name, type: next };
      });
      return fields === type.fields ? type : { kind: 'record', fields };
    }
    case 'variant': {
      const cases = mapSame(type.cases, (one) => {
        const next = one.type && substituteVal(one.type, sub);
        return next === one.type ? one : { name: one.name, type: next };
      });
      return cases === type.cases ? type : { kind: 'variant', cases };
    }
    case 'tuple': {
      const items = mapSame(type.items, (item) => substituteVal(item, sub));
      return items === type.items ? type : { kind: 'tuple', items };
    }
    case 'list':
    case 'fixed-list': {
      const element = substituteVal(type.element, sub);
      return element === type.element ? type : { ...type, element };
    }
    case 'option': {
      const some = substituteVal(type.some, sub);
      return some === type.some ? type : { kind: 'option', some };
    }
    case 'result': {
      const ok = type.ok && substituteVal(type.ok, sub);
      const err = type.err && substituteVal(type.err, sub);
      return ok === type.ok && err === type.err ? type : { kind: 'result', ok, err };
    }
    case 'map': {
      const key = substituteVal(type.key, sub);
      const value = substituteVal(type.value, sub);
      return key === type.key && value === type.value ? type : { kind: 'map', key, value };
    }
    case 'stream':
    case 'future': {
      const element = type.element && substituteVal(type.element, sub);
      return element === type.element ? type : { kind: type.kind, element };
    }
    case 'own':
    case 'borrow': {
      const name = sub.session.handleNames.get(type)!;
      const next = substituteName(name, sub);
      if (next === name) return type;
      const handle: ValType = { kind: type.kind, resource: next.type };
      sub.session.handleNames.set(handle, next);
      return handle;
    }
    default:
      return type;
  }
}

/** Each type is replaced once, however often it occurs; `done` remembers, by identity. */
function once<T extends object>(type: T, sub: Substitution, make: () => T): T {
  const known = sub.done.get(type);
  if (known) return known as T;
  spend(sub.session, sub.at);
  const made = make();
  sub.done.set(type, made);
  return made;
}

function weightLike<T extends object>(original: object, copy: T, sub: Substitution): T {
  sub.session.weights.set(copy, weightOf(sub.session, original));
  return copy;
}

/** Like map, but the same array if nothing changed. */
function mapSame<T>(list: readonly T[], change: (item: T) => T): readonly T[] {
  let changed = false;
  const next = list.map((item) => {
    const one = change(item);
    changed ||= one !== item;
    return one;
  });
  return changed ? next : list;
}
