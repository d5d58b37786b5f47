// Options of sockets. They are kept so that a guest reads back what it set; the broker's sockets have their own, which
// a guest cannot make worse for others.

import type { HostFunc } from '../../engine/engine.ts';
import type { Value } from '../../wit/value.ts';
import { err, ok } from '../result.ts';

export interface SocketOptions {
  [name: string]: Value;
}

/** Name → value before it was set; a zero is refused where the interface says so. */
const TCP: Readonly<Record<string, Value>> = {
  'keep-alive-enabled': false,
  'keep-alive-idle-time': 7_200_000_000_000n,
  'keep-alive-interval': 75_000_000_000n,
  'keep-alive-count': 9,
  'hop-limit': 64,
  'receive-buffer-size': 65_536n,
  'send-buffer-size': 65_536n,
};

const UDP: Readonly<Record<string, Value>> = {
  'unicast-hop-limit': 64,
  'receive-buffer-size': 65_536n,
  'send-buffer-size': 65_536n,
};

export function optionMethods(
  resource: 'tcp-socket' | 'udp-socket',
  optionsOf: (self: Value) => SocketOptions,
): Readonly<Record<string, HostFunc>> {
  const methods: Record<string, HostFunc> = {};
  for (const [name, initial] of Object.entries(resource === 'tcp-socket' ? TCP : UDP)) {
    methods[`[method]${resource}.${name}`] = (self) => ok(optionsOf(self)[name] ?? initial);
    methods[`[method]${resource}.set-${name}`] = (self, value) => {
      if (value === 0 || value === 0n) return err('invalid-argument');
      optionsOf(self)[name] = value;
      return ok();
    };
  }
  return methods;
}
