// wasi:sockets/network, instance-network and ip-name-lookup, and the forms addresses have: tuples for the guest, text
// for the broker. The network itself is a token; every use of it is decided by the broker.

import type { HostFailure } from '../../core/port.ts';
import { type HostInstance, hostResource } from '../../engine/engine.ts';
import type { Value } from '../../wit/value.ts';
import type { Call } from '../call.ts';
import { errorResource, type IoError } from '../io/error.ts';
import { type Pollable, pollableOf, pollableResource } from '../io/pollable.ts';
import { err, ok, settle } from '../result.ts';

export const networkResource = hostResource({ name: 'network' });

const ERRORS: ReadonlySet<string> = new Set([
  'access-denied',
  'not-supported',
  'invalid-argument',
  'out-of-memory',
  'timeout',
  'concurrency-conflict',
  'not-in-progress',
  'would-block',
  'invalid-state',
  'new-socket-limit',
  'address-not-bindable',
  'address-in-use',
  'remote-unreachable',
  'connection-refused',
  'connection-reset',
  'connection-aborted',
  'datagram-too-large',
  'name-unresolvable',
  'temporary-resolver-failure',
  'permanent-resolver-failure',
]);

export function socketError({ code }: HostFailure): string {
  if (ERRORS.has(code)) return code;
  if (code === 'insufficient-memory') return 'new-socket-limit';
  return code === 'invalid' ? 'invalid-argument' : 'unknown';
}

export type Family = 'ipv4' | 'ipv6';

export interface SocketAddress {
  readonly family: Family;
  readonly address: string;
  readonly port: number;
}

/** An `ip-socket-address` as text and port. */
export function readAddress(value: Value): SocketAddress {
  const { tag, val } = value as { tag: Family; val: { port: number; address: readonly number[] } };
  const address =
    tag === 'ipv4' ? val.address.join('.') : val.address.map((part) => part.toString(16)).join(':');
  return { family: tag, address, port: val.port };
}

export function socketAddress(address: string, port: number): Value {
  const { tag, val } = ipAddress(address) as { tag: Family; val: readonly number[] };
  return tag === 'ipv4'
    ? { tag, val: { port, address: val } }
    : { tag, val: { port, 'flow-info': 0, address: val, 'scope-id': 0 } };
}

/** An `ip-address` from canonical text. */
function ipAddress(text: string): Value {
  const plain = text.replace(/%.*$/, '').replace(/^::ffff:(?=\d+\.)/, '');
  if (!plain.includes(':')) return { tag: 'ipv4', val: plain.split('.').map(Number) };
  const [head = '', tail] = plain.split('::');
  const groups = (part: string): number[] =>
    part === '' ? [] : part.split(':').map((hex) => Number.parseInt(hex, 16));
  const before = groups(head);
  const after = tail === undefined ? [] : groups(tail);
  const zeros = new Array<number>(8 - before.length - after.length).fill(0);
  return { tag: 'ipv6', val: [...before, ...zeros, ...after] };
}

export function createNetwork(): HostInstance {
  return {
    network: networkResource,
    error: errorResource,
    'network-error-code': (error) => socketError((error as IoError).failure),
  };
}

export function createInstanceNetwork(): HostInstance {
  return { network: networkResource, 'instance-network': () => ({}) };
}

interface Lookup {
  readonly pollable: Pollable;
  /** Addresses left, or the failure, once it is known. */
  outcome: { tag: string; val?: string[] | string } | undefined;
}

export function createNameLookup({ port }: Call): HostInstance {
  return {
    network: networkResource,
    pollable: pollableResource,
    'resolve-address-stream': hostResource({ name: 'resolve-address-stream' }),
    'resolve-addresses': (_network, name) => {
      const text = name as string;
      if (text === '' || text.length > 1024 || /[\s\0/]/.test(text)) return err('invalid-argument');
      const answer = settle(
        port.request('net.resolve', [text]),
        (found) => [...(found as string[])],
        socketError,
      );
      const lookup: Lookup = { pollable: pollableOf(answer), outcome: undefined };
      void answer.then((outcome) => {
        lookup.outcome = outcome as Lookup['outcome'];
      });
      return ok(lookup);
    },
    '[method]resolve-address-stream.resolve-next-address': (self) => {
      const { outcome } = self as Lookup;
      if (outcome === undefined) return err('would-block');
      if (outcome.tag === 'err') return err(outcome.val);
      const next = (outcome.val as string[]).shift();
      return ok(next === undefined ? undefined : ipAddress(next));
    },
    '[method]resolve-address-stream.subscribe': (self) => (self as Lookup).pollable,
  };
}
