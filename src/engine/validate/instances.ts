// Instantiation: core modules with core instances, components with items. Arguments must satisfy what is imported;
// the instance's type is the component's exports with the given resources put in and its own made new.

import type {
  ComponentType,
  CoreModuleType,
  ExternType,
  InstanceType,
  ResourceType,
} from '../../wit/type.ts';
import type { CoreInstanceExpr, InstanceExpr } from '../decode/ast.ts';
import type { ItemRef } from '../plan.ts';
import { mismatchCoreExtern } from './core-match.ts';
import { bagOfExports, itemOf, matchIn } from './externs.ts';
import { coreItemAt, entryAt } from './lookup.ts';
import { quote, refuse } from './refuse.ts';
import { resourcePaths } from './resource-paths.ts';
import {
  bindTo,
  type CoreExports,
  externWeight,
  freshResource,
  pushInstance,
  type Scope,
  type Session,
  spend,
  weigh,
  weightOf,
} from './scope.ts';
import { createSubstitution, renameTypes, substituteItems } from './substitute.ts';
import { mismatchItems } from './subtype.ts';

export function addCoreInstance(scope: Scope, expr: CoreInstanceExpr, at: number): void {
  if (expr.kind === 'exports') {
    const exports = new Map();
    for (const { name, sort, index } of expr.exports) {
      if (exports.has(name)) refuse(at, `duplicate instantiation export name ${quote(name)}`);
      exports.set(name, coreItemAt(scope, sort, index, at));
    }
    pushInstance(scope, scope.coreInstances, exports, at);
    scope.steps.push({ op: 'core exports', exports: expr.exports });
    return;
  }
  const module = entryAt(scope.modules, 'module', expr.module, at);
  const args = new Map<string, CoreExports>();
  for (const { name, instance } of expr.args) {
    if (args.has(name)) refuse(at, `duplicate module instantiation argument named ${quote(name)}`);
    args.set(name, entryAt(scope.coreInstances, 'core instance', instance, at));
  }
  spend(scope.session, at, module.imports.length);
  for (const wanted of module.imports) {
    const given = args.get(wanted.module);
    if (!given) refuse(at, `missing module instantiation argument named ${quote(wanted.module)}`);
    const item = given.get(wanted.name);
    if (!item) {
      const from = `module instantiation argument ${quote(wanted.module)}`;
      refuse(at, `${from} does not export an item named ${quote(wanted.name)}`);
    }
    const reason = mismatchCoreExtern(item, wanted.type);
    if (reason) {
      const where = `export ${quote(wanted.name)} of module instantiation argument ${quote(wanted.module)}`;
      refuse(at, `type mismatch for ${where}: ${reason}`);
    }
  }
  pushInstance(scope, scope.coreInstances, moduleExports(scope.session, module), at);
  scope.steps.push({ op: 'core instantiate', module: expr.module, args: expr.args });
}

function moduleExports(session: Session, module: CoreModuleType): CoreExports {
  let exports = session.moduleExports.get(module);
  if (!exports) {
    exports = new Map(module.exports.map((one) => [one.name, one.type]));
    session.moduleExports.set(module, exports);
  }
  return exports;
}

export function addInstance(scope: Scope, expr: InstanceExpr, at: number): void {
  if (expr.kind === 'exports') {
    bagOfExports(scope, expr.exports, at);
    return;
  }
  const component = entryAt(scope.components, 'component', expr.component, at);
  const given = new Map<string, ExternType>();
  const args: { name: string; item: ItemRef }[] = [];
  for (const { name, item: source } of expr.args) {
    if (given.has(name)) refuse(at, `instantiation argument ${quote(name)} conflicts with previous argument`);
    const { item, type } = itemOf(scope, source, at);
    given.set(name, type);
    args.push({ name, item });
  }
  const { type, made } = instantiate(scope, component, given, at);
  pushInstance(scope, scope.instances, type, at);
  scope.steps.push({ op: 'instantiate', component: expr.component, args, type, bind: made });
}

function instantiate(
  scope: Scope,
  component: ComponentType,
  given: ReadonlyMap<string, ExternType>,
  at: number,
): { readonly type: InstanceType; readonly made: ReturnType<typeof bindTo>[] } {
  const { session } = scope;
  spend(session, at, weightOf(session, component).size);
  const match = matchIn(scope, at);
  const reason = mismatchItems(given, component.imports, component.importedResources, match, 'import');
  if (reason) refuse(at, reason);

  // Only these: the comparison also notes what stands for resources bound within the items themselves.
  const resources = new Map<ResourceType, ResourceType>();
  for (const asked of component.importedResources) resources.set(asked, match.expected.get(asked)!);
  const paths = resourcePaths(component.exports);
  const made = component.definedResources.map((old) => {
    const resource = freshResource(scope, at, old.name);
    resources.set(old, resource);
    scope.definedResources.add(resource);
    return bindTo(resource, paths.get(old)!);
  });

  const substitution = createSubstitution(session, at, resources);
  for (const [name, asked] of component.imports) renameTypes(given.get(name)!, asked, substitution);
  const type: InstanceType = { exports: substituteItems(component.exports, substitution), fresh: [] };
  const weights = [...type.exports.values()].map((item) => externWeight(session, item));
  session.weights.set(type, weigh(session, weights, at));
  return { type, made };
}
