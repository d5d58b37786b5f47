// wasi:config/store: the configuration that the policy grants, read-only.

import { type HostInstance, suspending } from '../engine/engine.ts';
import type { Value } from '../wit/value.ts';
import type { Beginning, Call } from './call.ts';
import { ok } from './result.ts';

export function createConfigStore(call: Call): HostInstance {
  const from = (pick: (config: Beginning['config'], key: Value) => Value) =>
    suspending((key) => {
      const beginning = call.begin();
      const answer = ({ config }: Beginning): Value => ok(pick(config, key));
      return beginning instanceof Promise ? beginning.then(answer) : answer(beginning);
    });
  return {
    get: from((config, key) => config.find(([name]) => name === key)?.[1]),
    'get-all': from((config) => config),
  };
}
