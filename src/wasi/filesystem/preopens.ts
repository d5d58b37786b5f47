// wasi:filesystem/preopens: the granted directories, opened by the broker when the guest first asks.

import { type HostInstance, suspending } from '../../engine/engine.ts';
import type { Value } from '../../wit/value.ts';
import type { Beginning, Call } from '../call.ts';
import { createDescriptor, type Descriptor, descriptorResource } from './descriptor.ts';

export function createPreopens(call: Call): HostInstance {
  let held: readonly (readonly [Descriptor, string])[] | undefined;
  const give = ({ preopens }: Beginning): Value => {
    held ??= preopens.map(([id, path, flags]) => [createDescriptor(call, id, 'directory', flags), path]);
    // Every handle a guest gets of it is one more holder: letting go of one leaves the others.
    for (const [descriptor] of held) descriptor.hold();
    return held;
  };
  return {
    descriptor: descriptorResource,
    'get-directories': suspending(() => {
      const beginning = call.begin();
      return beginning instanceof Promise ? beginning.then(give) : give(beginning);
    }),
  };
}
