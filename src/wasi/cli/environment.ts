// wasi:cli/environment: what was granted and given, never the environment or arguments of the machine.

import { type HostInstance, suspending } from '../../engine/engine.ts';
import type { Value } from '../../wit/value.ts';
import type { Beginning, Call } from '../call.ts';

export function createEnvironment(call: Call): HostInstance {
  const from = (pick: (beginning: Beginning) => Value) =>
    suspending(() => {
      const beginning = call.begin();
      return beginning instanceof Promise ? beginning.then(pick) : pick(beginning);
    });
  return {
    'get-environment': from(({ environment }) => environment),
    'get-arguments': from((beginning) => beginning.arguments),
    'initial-cwd': () => undefined,
  };
}
