// The state of one component, component type or instance type while it is validated: its index spaces, its names, its
// resources, and (for a component) the plan so far. A session is what all scopes of one file share.
// Invariant: index spaces only grow, and each entry is fully resolved when it is pushed.

import type {
  ComponentType,
  CoreExternType,
  CoreFuncType,
  CoreModuleType,
  DefinedType,
  ExternType,
  FuncType,
  InstanceType,
  ResourceType,
  ValType,
} from '../../wit/type.ts';
import type { ResourceBinding, Step } from '../plan.ts';
import type { CoreTypeEntry } from './core-types.ts';
import { computeFacts, type Facts, type ResourceName, type Weight } from './facts.ts';
import type { ValidationLimits } from './limits.ts';
import { refuse } from './refuse.ts';

export type CoreExports = ReadonlyMap<string, CoreExternType>;
type CoreTable = Extract<CoreExternType, { kind: 'table' }>;
type CoreMemory = Extract<CoreExternType, { kind: 'memory' }>;
type CoreGlobal = Extract<CoreExternType, { kind: 'global' }>;

export interface Session {
  readonly limits: ValidationLimits;
  readonly facts: Map<ValType, Facts>;
  readonly handleNames: Map<ValType, ResourceName>;
  readonly weights: Map<object, Weight>;
  readonly moduleExports: Map<CoreModuleType, CoreExports>;
  readonly flat: readonly [Map<ValType, readonly string[] | null>, Map<ValType, readonly string[] | null>];
  modules: number;
  resources: number;
  work: number;
}

export interface Side {
  readonly items: Map<string, ExternType>;
  /** Clash key → the name that took it. */
  readonly keys: Map<string, string>;
  /** Named types that later items of this side may mention. */
  readonly named: Set<ValType | ResourceName>;
  readonly resources: Map<ResourceName, string>;
  readonly resourceLabels: Set<string>;
}

export type ScopeKind = 'component' | 'component type' | 'instance type';

export interface Scope {
  readonly kind: ScopeKind;
  readonly parent: Scope | null;
  readonly depth: number;
  readonly session: Session;

  readonly coreTypes: CoreTypeEntry[];
  readonly modules: CoreModuleType[];
  readonly coreInstances: CoreExports[];
  readonly coreFuncs: CoreFuncType[];
  readonly tables: CoreTable[];
  readonly memories: CoreMemory[];
  readonly globals: CoreGlobal[];
  readonly tags: CoreFuncType[];

  readonly types: DefinedType[];
  readonly funcs: FuncType[];
  readonly instances: InstanceType[];
  readonly components: ComponentType[];

  readonly imports: Side;
  readonly exports: Side;
  readonly importedResources: ResourceType[];
  readonly definedResources: Set<ResourceType>;
  /** Resources whose definition stands in this very component, with the core type of their representation. */
  readonly localResources: Map<ResourceType, string>;

  readonly steps: Step[];
  slots: number;
  weight: Weight;
  /** The one core type of all `context.get` and `context.set` of this component. */
  contextType: string | null;
}

export function createSession(limits: ValidationLimits): Session {
  return {
    limits,
    facts: new Map(),
    handleNames: new Map(),
    weights: new Map(),
    moduleExports: new Map(),
    flat: [new Map(), new Map()],
    modules: 0,
    resources: 0,
    work: 0,
  };
}

export function createSide(): Side {
  return {
    items: new Map(),
    keys: new Map(),
    named: new Set(),
    resources: new Map(),
    resourceLabels: new Set(),
  };
}

export function createScope(kind: ScopeKind, parent: Scope | null, session: Session, at: number): Scope {
  const depth = parent ? parent.depth + 1 : 1;
  if (depth > session.limits.depth) refuse(at, `components or types are nested more than ${depth - 1} deep`);
  return {
    kind,
    parent,
    depth,
    session,
    coreTypes: [],
    modules: [],
    coreInstances: [],
    coreFuncs: [],
    tables: [],
    memories: [],
    globals: [],
    tags: [],
    types: [],
    funcs: [],
    instances: [],
    components: [],
    imports: createSide(),
    exports: createSide(),
    importedResources: [],
    definedResources: new Set(),
    localResources: new Map(),
    steps: [],
    slots: 0,
    weight: { size: 1, depth: 1 },
    contextType: null,
  };
}

/** Counts steps of walks over types; a binary that needs too many is refused. */
export function spend(session: Session, at: number, amount = 1): void {
  session.work += amount;
  if (session.work > session.limits.work) refuse(at, 'its types are too complex to check');
}

export function pushTo<T>(scope: Scope, space: T[], item: T, at: number): void {
  if (space.length >= scope.session.limits.definitions) refuse(at, 'too many definitions');
  space.push(item);
}

export function pushInstance<T>(scope: Scope, space: T[], item: T, at: number): void {
  const { instances } = scope.session.limits;
  if (scope.instances.length + scope.coreInstances.length >= instances) {
    refuse(at, `more than ${instances} instances`);
  }
  space.push(item);
}

/** A resource new to this scope. Only components have instances, so only there it takes a slot. */
export function freshResource(scope: Scope, at: number, name?: string): ResourceType {
  const { session } = scope;
  if (session.resources++ >= session.limits.resources) {
    refuse(at, `more than ${session.limits.resources} resource types`);
  }
  const slot = scope.kind === 'component' ? scope.slots++ : -1;
  return name === undefined ? { slot } : { slot, name };
}

export function bindTo(resource: ResourceType, path: readonly string[]): ResourceBinding {
  return { slot: resource.slot, path };
}

export function factsOf(session: Session, type: ValType): Facts {
  let facts = session.facts.get(type);
  if (!facts) {
    facts = computeFacts(type, (part) => factsOf(session, part));
    session.facts.set(type, facts);
  }
  return facts;
}

// ---- weights ----

const LIGHT: Weight = { size: 1, depth: 1 };

/** The weight of a type made of parts, or a refusal when it is too heavy. */
export function weigh(session: Session, parts: Iterable<Weight>, at: number, own: Weight = LIGHT): Weight {
  let { size, depth } = own;
  for (const part of parts) {
    size += part.size;
    depth = Math.max(depth, part.depth + 1);
  }
  checkWeight(session, { size, depth }, at);
  return { size, depth };
}

export function checkWeight(session: Session, weight: Weight, at: number): void {
  const { typeSize, depth } = session.limits;
  if (weight.size > typeSize) refuse(at, `effective type size exceeds the limit of ${typeSize}`);
  if (weight.depth > depth) refuse(at, 'type nesting is too deep');
}

export function weightOf(session: Session, type: object): Weight {
  return session.weights.get(type) ?? LIGHT;
}

export function externWeight(session: Session, extern: ExternType): Weight {
  return extern.kind === 'type' ? definedWeight(session, extern.type) : weightOf(session, extern.type);
}

export function definedWeight(session: Session, type: DefinedType): Weight {
  if (type.kind === 'value') return factsOf(session, type.type);
  return weightOf(session, type.type);
}
