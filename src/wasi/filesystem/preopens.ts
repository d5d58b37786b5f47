// wasi:filesystem/preopens: the granted directories, opened by the broker when the guest first asks.

import { type HostInstance, suspending } from '../../engine/engine.ts';
import type { Value } from '../../wit/value.ts';
import type { Beginning, Call } from '../call.ts';
import { createPreopen, descriptorResource } from './descriptor.ts';

export function createPreopens(call: Call): HostInstance {
  const give = ({ preopens }: Beginning): Value => {
    return preopens.map(([, path, flags]) => [createPreopen(call, path, flags), path]);
  };
  return {
    descriptor: descriptorResource,
    'get-directories': suspending(() => {
      const beginning = call.begin();
      return beginning instanceof Promise ? beginning.then(give) : give(beginning);
    }),
  };
}
