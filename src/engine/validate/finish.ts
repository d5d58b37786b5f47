// The type of a component once all its definitions are known, and the last rules about resources: imports cannot
// mention a resource that the component itself makes, and what exports mention must be exported.

import type { ComponentType, ResourceType, ValType } from '../../wit/type.ts';
import { refuse } from './refuse.ts';
import { freeInItems, resourcePaths } from './resource-paths.ts';
import { factsOf, type Scope, spend } from './scope.ts';

export function finishComponentType(scope: Scope, at: number): ComponentType {
  const imports = scope.imports.items;
  const exports = scope.exports.items;
  const type: ComponentType = {
    imports,
    exports,
    importedResources: scope.importedResources,
    definedResources: definedIn(scope, at),
  };
  scope.session.weights.set(type, scope.weight);
  return type;
}

function definedIn(scope: Scope, at: number): ResourceType[] {
  const { definedResources, session } = scope;
  if (definedResources.size === 0) return [];
  spend(session, at, scope.weight.size);
  const visit = (type: ValType) => factsOf(session, type).hasResource;
  const asked = new Set<ResourceType>();
  freeInItems(scope.imports.items, asked, visit);
  for (const resource of definedResources) {
    if (asked.has(resource)) refuse(at, 'local resource type found in imports');
  }
  const shown = new Set<ResourceType>();
  freeInItems(scope.exports.items, shown, visit);
  const exported = resourcePaths(scope.exports.items);
  const defined: ResourceType[] = [];
  for (const resource of definedResources) {
    if (!shown.has(resource)) continue;
    if (!exported.has(resource)) refuse(at, 'local resource type found in export but not exported itself');
    defined.push(resource);
  }
  return defined;
}
