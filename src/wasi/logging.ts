// wasi:logging/logging: messages go to the log of the call, within the same bound as output.

import type { HostInstance } from '../engine/engine.ts';
import type { Call } from './call.ts';

const MOST = 1 << 16;

export function createLogging({ port, options }: Call): HostInstance {
  let left = options.logBytes ?? 1 << 20;
  return {
    log: (level, context, message) => {
      const [where, text] = [(context as string).slice(0, 1024), (message as string).slice(0, MOST)];
      left -= where.length + text.length + 16;
      if (left >= 0) port.post('log.message', [level as string, where, text]);
      return undefined;
    },
  };
}
