// wasi:sockets/udp and udp-create-socket. The broker's socket is opened with `start-bind` (a guest must bind before it
// streams); a local address other than "any" and port other than 0 are refused, since a tool is not a server.

import { HostFailure } from '../../core/port.ts';
import { type HostFunc, type HostInstance, hostResource, suspending } from '../../engine/engine.ts';
import type { Value } from '../../wit/value.ts';
import type { Call } from '../call.ts';
import { alwaysReady, createSignal, type Pollable, pollableOf, pollableResource } from '../io/pollable.ts';
import { err, ok, settle } from '../result.ts';
import {
  type Family,
  networkResource,
  readAddress,
  type SocketAddress,
  socketAddress,
  socketError,
} from './network.ts';
import { optionMethods, type SocketOptions } from './options.ts';

interface UdpSocket {
  readonly id: number;
  readonly family: Family;
  readonly options: SocketOptions;
  bound: { readonly pollable: Pollable; outcome: Value } | null;
  local: Value;
  remote: SocketAddress | null;
  holders: number;
}

type Datagram = readonly [Uint8Array, string, number];

interface Incoming extends Pollable {
  receive(most: number): Value;
  readonly socket: UdpSocket;
}

interface Outgoing extends Pollable {
  /** Waits for the broker, so that a refusal is the answer to the datagram that was refused. */
  send(datagrams: Value): Promise<Value>;
  readonly socket: UdpSocket;
}

const MOST_AT_ONCE = 16;

export function createUdp(call: Call): Readonly<Record<'udp' | 'udp-create-socket', HostInstance>> {
  const resource = hostResource({ name: 'udp-socket', drop: (socket) => release(call, socket as UdpSocket) });
  const drop = (stream: object): void => release(call, (stream as Incoming | Outgoing).socket);
  return {
    udp: {
      'udp-socket': resource,
      'incoming-datagram-stream': hostResource({ name: 'incoming-datagram-stream', drop }),
      'outgoing-datagram-stream': hostResource({ name: 'outgoing-datagram-stream', drop }),
      network: networkResource,
      pollable: pollableResource,
      ...socketMethods(call),
      ...streamMethods(),
      ...optionMethods('udp-socket', (self) => (self as UdpSocket).options),
    },
    'udp-create-socket': {
      'udp-socket': resource,
      network: networkResource,
      'create-udp-socket': (family) => ok(createSocket(call, family as Family)),
    },
  };
}

function createSocket(call: Call, family: Family): UdpSocket {
  return { id: call.nextId(), family, options: {}, bound: null, local: undefined, remote: null, holders: 1 };
}

function release(call: Call, socket: UdpSocket): void {
  if (--socket.holders === 0 && socket.bound !== null) call.drop(socket.id);
}

function streamMethods(): Readonly<Record<string, HostFunc>> {
  return {
    '[method]incoming-datagram-stream.receive': (self, most) => {
      const asked = most as bigint;
      return (self as Incoming).receive(asked > BigInt(MOST_AT_ONCE) ? MOST_AT_ONCE : Number(asked));
    },
    '[method]incoming-datagram-stream.subscribe': (self) => self,
    '[method]outgoing-datagram-stream.check-send': () => ok(BigInt(MOST_AT_ONCE)),
    '[method]outgoing-datagram-stream.send': suspending((self, datagrams) =>
      (self as Outgoing).send(datagrams),
    ),
    '[method]outgoing-datagram-stream.subscribe': (self) => self,
  };
}

function socketMethods(call: Call): Readonly<Record<string, HostFunc>> {
  const socket = (self: Value): UdpSocket => self as UdpSocket;
  return {
    '[method]udp-socket.start-bind': (self, _network, local) =>
      startBind(call, socket(self), readAddress(local)),
    '[method]udp-socket.finish-bind': (self) => {
      const { bound, local } = socket(self);
      if (bound === null || local !== undefined) return err('not-in-progress');
      if (bound.outcome === undefined) return err('would-block');
      const { tag, val } = bound.outcome as { tag: string; val: [string, number] };
      if (tag === 'err') return bound.outcome;
      socket(self).local = socketAddress(...val);
      return ok();
    },
    '[method]udp-socket.stream': (self, remote) => {
      if (socket(self).local === undefined) return err('invalid-state');
      const peer = remote === undefined ? null : readAddress(remote);
      if (peer !== null && (peer.family !== socket(self).family || peer.port === 0))
        return err('invalid-argument');
      socket(self).remote = peer;
      socket(self).holders += 2;
      return ok([createIncoming(call, socket(self), peer), createOutgoing(call, socket(self), peer)]);
    },
    '[method]udp-socket.local-address': (self) => {
      const { local } = socket(self);
      return local === undefined ? err('invalid-state') : ok(local);
    },
    '[method]udp-socket.remote-address': (self) => {
      const { remote } = socket(self);
      return remote === null ? err('invalid-state') : ok(socketAddress(remote.address, remote.port));
    },
    '[method]udp-socket.address-family': (self) => socket(self).family,
    '[method]udp-socket.subscribe': (self) => socket(self).bound?.pollable ?? alwaysReady,
  };
}

function startBind({ port }: Call, socket: UdpSocket, local: SocketAddress): Value {
  if (socket.bound !== null) return err('invalid-state');
  if (local.family !== socket.family) return err('invalid-argument');
  if (local.port !== 0 || !/^[0:.]*$/.test(local.address)) return err('access-denied');
  const answer = port.request('udp.open', [socket.id, socket.family === 'ipv4' ? 4 : 6]).then(
    (address): Value => ok(address as unknown as [string, number]),
    (error: unknown) => {
      if (error instanceof HostFailure) return err(socketError(error));
      throw error;
    },
  );
  const bound: { pollable: Pollable; outcome: Value } = { pollable: pollableOf(answer), outcome: undefined };
  void answer.then((outcome) => {
    bound.outcome = outcome;
  });
  socket.bound = bound;
  return ok();
}

function createIncoming({ port }: Call, socket: UdpSocket, peer: SocketAddress | null): Incoming {
  const signal = createSignal();
  let inbox: Datagram[] = [];
  let failure: HostFailure | null = null;
  let waiting = false;
  const fetch = (): void => {
    if (waiting || inbox.length > 0) return;
    waiting = true;
    port
      .request('udp.receive', [socket.id, MOST_AT_ONCE])
      .then(
        (rows) => {
          inbox = rows as unknown as Datagram[];
        },
        (error: unknown) => {
          failure = error instanceof HostFailure ? error : new HostFailure('unknown');
        },
      )
      .finally(() => {
        waiting = false;
        signal.wake();
      });
  };
  const expected = ([, address, from]: Datagram): boolean =>
    peer === null || (from === peer.port && sameAddress(address, peer));
  return {
    socket,
    receive(most) {
      if (failure !== null) return err(socketError(failure));
      const taken = inbox.slice(0, most);
      inbox = inbox.slice(most);
      if (inbox.length === 0) fetch();
      return ok(
        taken
          .filter(expected)
          .map(([data, address, from]) => ({ data, 'remote-address': socketAddress(address, from) })),
      );
    },
    ready: () => inbox.length > 0 || failure !== null,
    subscribe(wake) {
      const leave = signal.subscribe(wake);
      fetch();
      return leave;
    },
  };
}

/** Compares canonical text with what a guest gave, which may spell zeros out. */
function sameAddress(canonical: string, peer: SocketAddress): boolean {
  return JSON.stringify(socketAddress(canonical, 0)) === JSON.stringify(socketAddress(peer.address, 0));
}

function createOutgoing({ port }: Call, socket: UdpSocket, peer: SocketAddress | null): Outgoing {
  return {
    socket,
    async send(datagrams) {
      const rows: Datagram[] = [];
      const list = datagrams as readonly { data: Uint8Array; 'remote-address': Value }[];
      if (list.length > MOST_AT_ONCE) throw new Error('more datagrams than check-send permitted');
      for (const { data, 'remote-address': to } of list) {
        const target = to === undefined ? peer : readAddress(to);
        if (target === null) return err('invalid-argument');
        if (
          peer !== null &&
          to !== undefined &&
          (target.address !== peer.address || target.port !== peer.port)
        ) {
          return err('invalid-argument');
        }
        if (data.byteLength > 65_507) return err('datagram-too-large');
        rows.push([data, target.address, target.port]);
      }
      return settle(
        port.request('udp.send', [socket.id, rows]),
        (sent) => BigInt(sent as number),
        socketError,
      );
    },
    ...alwaysReady,
  };
}
