// What the host gives to a root component, checked against what the component imports. Things of the host carry no
// types, so only their kind is checked; things made by the engine are matched by type, with resources compared by
// their run-time identity: two instances of one component have different resources.

import { WitboxError } from '../../core/errors.ts';
import type { ExternType, InstanceType } from '../../wit/type.ts';
import type { RuntimeResource } from '../abi/resource.ts';
import type { ComponentPlan, ResourceBinding, Step } from '../plan.ts';
import { SuspendingFunc, type SyncFunc } from '../schedule.ts';
import { mismatchModule } from '../validate/core-match.ts';
import { matchExtern } from '../validate/subtype.ts';
import type { Extern, InstanceValue, ModuleValue } from './extern.ts';
import { blocks, resourceAt } from './frame.ts';
import { HostResource } from './host.ts';
import { findKey } from './import-name.ts';

export type HostFunc = SyncFunc | SuspendingFunc;

/** The members of an imported instance, by WIT name: functions, resources, nested instances. */
export interface HostInstance {
  readonly [name: string]: Import;
}

export type Import =
  | HostFunc
  | HostResource
  | HostInstance
  | WebAssembly.Module
  | Extern
  | ReadonlyMap<string, Extern>;

export interface Imports {
  readonly [name: string]: Import;
}

export interface ResolvedImports {
  readonly args: ReadonlyMap<string, Extern>;
  /** Resources that came with the imports, by slot; a list that the new instance goes on filling. */
  readonly resources: RuntimeResource[] | undefined;
  readonly blocks: boolean;
}

type ImportStep = Extract<Step, { op: 'import' }>;

const NO_IMPORTS: ResolvedImports = { args: new Map(), resources: undefined, blocks: false };

/** Prepares the imports of a component to be resolved for each of its instances. */
export function createResolver(plan: ComponentPlan): (imports: Imports) => ResolvedImports {
  const steps = plan.steps.filter((step) => step.op === 'import');
  if (steps.length === 0) return () => NO_IMPORTS;
  return (imports) => resolve(steps, imports);
}

function resolve(steps: readonly ImportStep[], imports: Imports): ResolvedImports {
  const args = new Map<string, Extern>();
  const resources: RuntimeResource[] = [];
  let mayBlock = false;
  for (const step of steps) {
    const key = findKey(imports, step.name);
    const given = key === null ? undefined : imports[key];
    const extern = toExtern(given, step.type, step.name);
    for (const { slot, path } of step.bind) {
      const resource = resourceAt(extern, path);
      if (resource === null) throw wanted([step.name, ...path].join(' '), 'resource', itemAt(extern, path));
      resources[slot] = resource;
    }
    check(extern, step.type, step.name, { resources, bound: step.bind, path: [] });
    args.set(step.name, extern);
    mayBlock ||= blocks(extern);
  }
  return { args, resources, blocks: mayBlock };
}

function itemAt(extern: Extern, path: readonly string[]): Extern | undefined {
  let at: Extern | undefined = extern;
  for (const name of path) at = at?.kind === 'instance' ? at.value.get(name) : undefined;
  return at;
}

function wanted(name: string, expected: string, found: { readonly kind: string } | undefined): WitboxError {
  if (found === undefined) return new WitboxError('import-missing', { name, expected });
  return new WitboxError('import-mismatch', { name, reason: `expected ${expected} found ${found.kind}` });
}

// ---- from what the host gives to what the linker takes ----

function toExtern(given: Import | undefined, type: ExternType, name: string): Extern {
  if (typeof given === 'function') {
    return { kind: 'func', value: { kind: 'host', call: given as SyncFunc, blocks: false } };
  }
  if (given === undefined || given === null) {
    if (type.kind === 'instance') return hostInstance({}, type.type, name);
    if (type.kind === 'type') return { kind: 'type', value: null };
    throw wanted(name, type.kind, undefined);
  }
  if (typeof given !== 'object') throw wanted(name, type.kind, { kind: typeof given });
  if (given instanceof SuspendingFunc) {
    return { kind: 'func', value: { kind: 'host', call: given.call, blocks: true } };
  }
  if (given instanceof HostResource) return { kind: 'type', value: given.runtime };
  if (given instanceof WebAssembly.Module) {
    return { kind: 'module', value: { module: given, type: null, start: null } };
  }
  if (given instanceof Map) {
    const exports: ReadonlyMap<string, Extern> = given;
    const value = { get: (key: string) => exports.get(key), blocks: exports.values().some(blocks) };
    return { kind: 'instance', value };
  }
  // Members of an instance are never strings, so this is something made by the engine.
  if ('kind' in given && typeof given.kind === 'string') return given as Extern;
  if (type.kind !== 'instance') throw wanted(name, type.kind, { kind: 'instance' });
  return hostInstance(given as HostInstance, type.type, name);
}

/** Members are looked at when they are asked for: a component uses few of what a large interface has. */
function hostInstance(given: HostInstance, type: InstanceType, name: string): Extern {
  const members = new Map<string, Extern>();
  function get(key: string): Extern | undefined {
    const known = members.get(key);
    if (known !== undefined) return known;
    const member = type.exports.get(key);
    if (member === undefined) return undefined;
    const own = Object.hasOwn(given, key) ? given[key] : undefined;
    if (own === undefined && member.kind !== 'instance') return undefined;
    const extern = toExtern(own, member, `${name} ${key}`);
    members.set(key, extern);
    return extern;
  }
  const mayBlock = type.exports.keys().some((key) => {
    const member = get(key);
    return member !== undefined && blocks(member);
  });
  return { kind: 'instance', value: { get, blocks: mayBlock } };
}

// ---- checks ----

interface Where {
  readonly resources: readonly RuntimeResource[];
  readonly bound: readonly ResourceBinding[];
  readonly path: readonly string[];
}

function check(extern: Extern | undefined, type: ExternType, name: string, where: Where): void {
  if (type.kind === 'type') {
    checkType(extern, type, name, where);
    return;
  }
  if (extern === undefined || extern.kind !== type.kind) throw wanted(name, type.kind, extern);
  const reason = mismatch(extern, type, name, where);
  if (reason !== null) throw new WitboxError('import-mismatch', { name, reason });
}

function mismatch(extern: Extern, type: ExternType, name: string, where: Where): string | null {
  if (extern.kind === 'instance' && type.kind === 'instance') {
    checkMembers(extern.value, type.type, name, where);
  } else if (extern.kind === 'module' && type.kind === 'module') {
    const { value } = extern;
    return value.type === null ? mismatchNames(value, type) : mismatchModule(value.type, type.type);
  } else if (extern.kind === 'component' && type.kind === 'component') {
    return matchExtern({ kind: 'component', type: extern.value.plan.type }, type);
  } else if (extern.kind === 'func' && extern.value.kind === 'lifted') {
    const { type: actual, instance } = extern.value;
    const sameResource = (a: { slot: number }, b: { slot: number }): boolean =>
      instance.resources[a.slot] === where.resources[b.slot];
    return matchExtern({ kind: 'func', type: actual }, type, { sameResource });
  }
  return null;
}

function checkMembers(value: InstanceValue, type: InstanceType, name: string, where: Where): void {
  for (const [key, member] of type.exports) {
    check(value.get(key), member, `${name} ${key}`, { ...where, path: [...where.path, key] });
  }
}

/** A type that must equal one known already need not be given; if it is, it must be that one. */
function checkType(
  extern: Extern | undefined,
  { type }: Extract<ExternType, { kind: 'type' }>,
  name: string,
  { resources, bound, path }: Where,
): void {
  if (type.kind !== 'resource' || extern === undefined) return;
  if (extern.kind !== 'type') throw wanted(name, 'resource', extern);
  const { slot } = type.type;
  const fresh = bound.some((binding) => binding.slot === slot && binding.path.join('/') === path.join('/'));
  if (!fresh && extern.value !== null && extern.value !== resources[slot]) {
    throw new WitboxError('import-mismatch', { name, reason: 'mismatched resource types' });
  }
}

const KINDS: Readonly<Record<WebAssembly.ExternKind, string>> = {
  function: 'func',
  global: 'global',
  memory: 'memory',
  table: 'table',
  tag: 'tag',
};

/** All that can be told of a module compiled elsewhere; V8 checks the types when it is instantiated. */
function mismatchNames(
  { module }: ModuleValue,
  { type }: Extract<ExternType, { kind: 'module' }>,
): string | null {
  for (const one of WebAssembly.Module.imports(module)) {
    const same = type.imports.find((other) => other.module === one.module && other.name === one.name);
    if (same === undefined) return `module import \`${one.module}::${one.name}\` not defined`;
    if (same.type.kind !== KINDS[one.kind]) return `expected ${KINDS[one.kind]} found ${same.type.kind}`;
  }
  const exports = new Map(WebAssembly.Module.exports(module).map((one) => [one.name, KINDS[one.kind]]));
  for (const { name, type: expected } of type.exports) {
    const kind = exports.get(name);
    if (kind === undefined) return `module export \`${name}\` not defined`;
    if (kind !== expected.kind) return `expected ${expected.kind} found ${kind}`;
  }
  return null;
}
