// What a guest prints and logs, on its way to the log of its call. Never to stdout or stderr of the broker. Bounded:
// after the limit bytes are counted and dropped.

import type { WireValue } from '../core/port.ts';
import type { HostLimits } from './limits.ts';
import type { Operations } from './operations.ts';

const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'critical'] as const;

export type GuestLog =
  | { readonly source: 'stdout' | 'stderr'; readonly bytes: Uint8Array }
  | {
      readonly source: 'log';
      readonly level: (typeof LEVELS)[number];
      readonly context: string;
      readonly message: string;
    };

export function createLog(limits: HostLimits, onLog: ((entry: GuestLog) => void) | undefined): Operations {
  let left = limits.logBytes;
  const take = (size: number): number => {
    const room = Math.max(0, Math.min(size, left));
    left -= room;
    return room;
  };
  const print =
    (source: 'stdout' | 'stderr') =>
    (args: readonly WireValue[]): null => {
      const [bytes] = args;
      if (!(bytes instanceof Uint8Array)) return null;
      const room = take(bytes.byteLength);
      if (room > 0) onLog?.({ source, bytes: bytes.subarray(0, room) });
      return null;
    };
  return {
    'log.stdout': print('stdout'),
    'log.stderr': print('stderr'),
    'log.message': (args) => {
      const level = LEVELS.find((each) => each === args[0]);
      const [, context, message] = args;
      if (level === undefined || typeof context !== 'string' || typeof message !== 'string') return null;
      if (take(context.length + message.length + 16) < context.length + message.length) return null;
      onLog?.({ source: 'log', level, context, message });
      return null;
    },
  };
}
