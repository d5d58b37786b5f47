// Imports for a component that is given no world: every function it imports throws when it is called, but for those
// that language runtimes call to set themselves up, and every resource exists. A guest that computes and nothing else
// runs on them, and one that reaches out is caught doing so.

import {
  type HostFunc,
  type HostInstance,
  type HostResource,
  hostResource,
  type Import,
  type Imports,
} from '../../src/engine/engine.ts';
import type { ComponentType, ExternType, InstanceType, ResourceType } from '../../src/wit/type.ts';

/** By import name without its version. */
const HARMLESS: Readonly<Record<string, HostFunc>> = {
  'wasi:cli/environment#get-environment': () => [],
  'wasi:clocks/monotonic-clock#now': () => 1n,
  'wasi:clocks/wall-clock#now': () => ({ seconds: 1n, nanoseconds: 0 }),
  'wasi:random/insecure-seed#insecure-seed': () => [1n, 2n],
  'wasi:random/random#get-random-u64': () => 3n,
};

export function closedImports(type: ComponentType): Imports {
  // Interfaces that use one another's resources must be given the same one.
  const resources = new Map<ResourceType, HostResource>();

  function closed(item: ExternType, name: string): Import {
    if (item.kind === 'instance') return closedInstance(item.type, name);
    if (item.kind === 'type' && item.type.kind === 'resource') {
      const known = resources.get(item.type.type) ?? hostResource({ name });
      resources.set(item.type.type, known);
      return known;
    }
    const harmless = HARMLESS[name.replace(/@[^#]*/, '')];
    if (harmless !== undefined) return harmless;
    return () => {
      throw new Error(`The guest called ${name}`);
    };
  }

  function closedInstance(instance: InstanceType, name: string): HostInstance {
    const members = [...instance.exports].filter(
      ([, member]) => member.kind !== 'type' || member.type.kind === 'resource',
    );
    return Object.fromEntries(members.map(([member, of]) => [member, closed(of, `${name}#${member}`)]));
  }

  return Object.fromEntries([...type.imports].map(([name, item]) => [name, closed(item, name)]));
}
