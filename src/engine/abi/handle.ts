// Codecs of `own` and `borrow`. Inside a guest a handle is an index of its table; between guests the bare
// representation; for the host its own object, or a Handle for a resource that a guest implements.

import type { ResourceType } from '../../wit/type.ts';
import type { Value } from '../../wit/value.ts';
import { raise } from '../trap.ts';
import { type Codec, type CodecOptions, mismatch } from './codec.ts';
import type { AbiContext } from './context.ts';
import { Handle, type Rep, type RuntimeResource } from './resource.ts';

export function createHandleCodec(
  kind: 'own' | 'borrow',
  { slot }: ResourceType,
  { peer }: CodecOptions,
): Codec {
  const own = kind === 'own';
  const liftRep = own ? liftOwn : liftBorrow;
  const lowerRep = own ? lowerOwn : lowerBorrow;

  function lift(cx: AbiContext, index: number): Value {
    const resource = cx.owner.resources[slot] as RuntimeResource;
    const rep = liftRep(cx, index, resource);
    if (peer === 'guest' || resource.impl === null) return rep;
    const handle = new Handle(resource, rep, own);
    if (!own && cx.scope !== null) {
      cx.scope.shown ??= [];
      cx.scope.shown.push(handle);
    }
    return handle;
  }
  function lower(cx: AbiContext, value: Value): number {
    const resource = cx.owner.resources[slot] as RuntimeResource;
    return lowerRep(cx, peer === 'guest' ? (value as Rep) : repOf(value, resource, own), resource);
  }

  return {
    size: 4,
    align: 4,
    flat: ['i32'],
    plain: false,
    borrows: !own,
    load: (cx, ptr) => lift(cx, cx.view.getUint32(ptr, true)),
    store(cx, ptr, value) {
      const index = lower(cx, value);
      cx.view.setUint32(ptr, index, true);
    },
    lift: (cx, flat, at) => lift(cx, flat[at] as number),
    lower: (cx, value, flat) => void flat.push(lower(cx, value)),
  };
}

function liftOwn(cx: AbiContext, index: number, resource: RuntimeResource): Rep {
  const handle = cx.owner.handles.removeResource(index, resource);
  if (!handle.own) raise('handle', `handle index ${index} is borrowed, not owned`);
  return handle.rep;
}

function liftBorrow(cx: AbiContext, index: number, resource: RuntimeResource): Rep {
  const handle = cx.owner.handles.resource(index, resource);
  handle.lends++;
  const { scope } = cx;
  if (scope !== null) {
    scope.lent ??= [];
    scope.lent.push(handle);
  }
  return handle.rep;
}

function lowerOwn(cx: AbiContext, rep: Rep, resource: RuntimeResource): number {
  return cx.owner.handles.add({ resource, rep, own: true, scope: null, lends: 0 });
}

/** The instance that implements a resource gets its own representation instead of a handle. */
function lowerBorrow(cx: AbiContext, rep: Rep, resource: RuntimeResource): number {
  if (resource.impl === cx.owner) return rep as number;
  const { scope } = cx;
  if (scope !== null) scope.borrows++;
  return cx.owner.handles.add({ resource, rep, own: false, scope, lends: 0 });
}

function repOf(value: Value, resource: RuntimeResource, own: boolean): Rep {
  if (resource.impl === null) {
    if (typeof value === 'object' && value !== null && !(value instanceof Handle)) return value;
    return mismatch(resource.name, value, "the host's object");
  }
  const rep = value instanceof Handle ? (own ? value.take(resource) : value.peek(resource)) : null;
  return rep ?? mismatch(resource.name, value, `a live handle of ${resource.name}`);
}
