// The canonical functions on resources, and destructors. A destructor runs in the instance that defined the resource,
// which it enters as any call would.

import type { CoreFunction } from '../abi/context.ts';
import type { Rep, RuntimeResource } from '../abi/resource.ts';
import { awaitable, type MadeFunction, type Suspendables } from '../schedule.ts';
import { crossing } from '../trap.ts';
import { type ComponentInstance, checkMayLeave, enter, enteringSet, leave } from './instance.ts';

/** The run-time identity of a resource type that a component defines, new with each of its instances. */
export function createResource(
  name: string,
  instance: ComponentInstance,
  dtor: CoreFunction | null,
  known: Suspendables,
): RuntimeResource {
  const call =
    dtor === null ? null : ((instance.blocks ? awaitable(dtor, known) : dtor) as (rep: Rep) => unknown);
  return {
    name,
    impl: instance,
    blocks: call !== null && instance.blocks,
    destroy(rep, caller) {
      const entered = enteringSet(instance, caller as ComponentInstance | null);
      enter(entered);
      try {
        const done = call?.(rep);
        if (done instanceof Promise) return done.then(() => leave(entered)).catch(rethrow);
      } catch (error) {
        rethrow(error);
      }
      leave(entered);
    },
  };
}

function rethrow(error: unknown): never {
  throw crossing(error);
}

export function resourceNew(instance: ComponentInstance, resource: RuntimeResource): MadeFunction {
  return (rep) => {
    checkMayLeave(instance);
    return instance.handles.add({ resource, rep: rep as Rep, own: true, scope: null, lends: 0 });
  };
}

export function resourceRep(instance: ComponentInstance, resource: RuntimeResource): MadeFunction {
  return (index) => instance.handles.resource(index as number, resource).rep as number;
}

export function resourceDrop(instance: ComponentInstance, resource: RuntimeResource): MadeFunction {
  return (index) => {
    checkMayLeave(instance);
    const handle = instance.handles.removeResource(index as number, resource);
    if (handle.own) return resource.destroy(handle.rep, instance) as undefined | Promise<undefined>;
    if (handle.scope !== null) handle.scope.borrows--;
    return undefined;
  };
}
