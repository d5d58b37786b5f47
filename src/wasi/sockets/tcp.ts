// wasi:sockets/tcp and tcp-create-socket, for outgoing connections. A local address is the broker's choice: binding to
// any other than "any" is refused, and so is listening, since a tool is not a server.

import { HostFailure } from '../../core/port.ts';
import { type HostFunc, type HostInstance, hostResource } from '../../engine/engine.ts';
import type { Value } from '../../wit/value.ts';
import type { Call } from '../call.ts';
import { createInputStream, inputStreamResource } from '../io/input-stream.ts';
import { createOutputStream, outputStreamResource } from '../io/output-stream.ts';
import { alwaysReady, type Pollable, pollableOf, pollableResource } from '../io/pollable.ts';
import { err, ok } from '../result.ts';
import {
  type Family,
  networkResource,
  readAddress,
  type SocketAddress,
  socketAddress,
  socketError,
} from './network.ts';
import { optionMethods, type SocketOptions } from './options.ts';

type State =
  | { readonly kind: 'unbound' | 'binding' | 'bound' | 'closed' }
  | { readonly kind: 'connecting'; readonly pollable: Pollable; outcome: Value }
  | { readonly kind: 'connected'; readonly local: Value; readonly remote: Value };

interface TcpSocket {
  readonly id: number;
  readonly family: Family;
  readonly options: SocketOptions;
  state: State;
  holders: number;
}

/** [local address, port, remote address, port] */
type Connected = readonly [string, number, string, number];

export function createTcp(call: Call): Readonly<Record<'tcp' | 'tcp-create-socket', HostInstance>> {
  const resource = hostResource({ name: 'tcp-socket', drop: (socket) => release(call, socket as TcpSocket) });
  return {
    tcp: {
      'tcp-socket': resource,
      network: networkResource,
      pollable: pollableResource,
      'input-stream': inputStreamResource,
      'output-stream': outputStreamResource,
      ...connectMethods(call),
      ...stateMethods(call),
      ...optionMethods('tcp-socket', (self) => (self as TcpSocket).options),
    },
    'tcp-create-socket': {
      'tcp-socket': resource,
      network: networkResource,
      'create-tcp-socket': (family) => ok(createSocket(call, family as Family)),
    },
  };
}

function createSocket(call: Call, family: Family): TcpSocket {
  return { id: call.nextId(), family, options: {}, state: { kind: 'unbound' }, holders: 1 };
}

function release(call: Call, socket: TcpSocket): void {
  if (--socket.holders === 0 && socket.state.kind !== 'unbound') call.drop(socket.id);
}

function connectMethods(call: Call): Readonly<Record<string, HostFunc>> {
  const method = (name: string, run: (socket: TcpSocket, ...args: Value[]) => Value) => ({
    [`[method]tcp-socket.${name}`]: (self: Value, ...args: Value[]) => run(self as TcpSocket, ...args),
  });
  const refuseListen = (): Value => err('access-denied');
  return {
    ...method('start-bind', (socket, _network, local) => {
      if (socket.state.kind !== 'unbound') return err('invalid-state');
      const { family, address, port } = readAddress(local);
      if (family !== socket.family) return err('invalid-argument');
      if (port !== 0 || !/^[0:.]*$/.test(address)) return err('access-denied');
      socket.state = { kind: 'binding' };
      return ok();
    }),
    ...method('finish-bind', (socket) => {
      if (socket.state.kind !== 'binding') return err('not-in-progress');
      socket.state = { kind: 'bound' };
      return ok();
    }),
    ...method('start-connect', (socket, _network, remote) => startConnect(call, socket, readAddress(remote))),
    ...method('finish-connect', (socket) => finishConnect(call, socket)),
    ...method('start-listen', refuseListen),
    ...method('finish-listen', () => err('not-in-progress')),
    ...method('accept', () => err('invalid-state')),
    ...method('is-listening', () => false),
    // Taken and of no effect: libc does not expect it to fail before it listens.
    ...method('set-listen-backlog-size', () => ok()),
  };
}

function startConnect({ port }: Call, socket: TcpSocket, remote: SocketAddress): Value {
  if (socket.state.kind !== 'unbound' && socket.state.kind !== 'bound') return err('invalid-state');
  if (remote.family !== socket.family || remote.port === 0) return err('invalid-argument');
  const answer = port
    .request('tcp.connect', [socket.id, remote.address, remote.port])
    .then((connected): Value => ok(connected as unknown as Connected), failed);
  const state: State = { kind: 'connecting', pollable: pollableOf(answer), outcome: undefined };
  void answer.then((outcome) => {
    state.outcome = outcome;
  });
  socket.state = state;
  return ok();
}

function failed(error: unknown): Value {
  if (error instanceof HostFailure) return err(socketError(error));
  throw error;
}

function finishConnect(call: Call, socket: TcpSocket): Value {
  if (socket.state.kind !== 'connecting') return err('not-in-progress');
  const { outcome } = socket.state;
  if (outcome === undefined) return err('would-block');
  const { tag, val } = outcome as { tag: string; val: Connected };
  if (tag === 'err') {
    socket.state = { kind: 'closed' };
    return outcome;
  }
  const [local, localPort, remote, remotePort] = val;
  socket.state = {
    kind: 'connected',
    local: socketAddress(local, localPort),
    remote: socketAddress(remote, remotePort),
  };
  return ok(streams(call, socket));
}

/** Both ends of the connection; it lives as long as the socket or one of them. */
function streams(call: Call, socket: TcpSocket): Value {
  const { port } = call;
  socket.holders += 2;
  const close = (): void => release(call, socket);
  return [
    createInputStream({
      pull: async (most) => (await port.request('tcp.read', [socket.id, most])) as Uint8Array,
      close,
    }),
    createOutputStream({
      async push(bytes) {
        await port.request('tcp.write', [socket.id, bytes]);
      },
      close,
    }),
  ];
}

function stateMethods({ port }: Call): Readonly<Record<string, HostFunc>> {
  const connected = (self: Value, pick: 'local' | 'remote'): Value => {
    const { state } = self as TcpSocket;
    if (state.kind === 'connected') return ok(state[pick]);
    if (state.kind !== 'bound' || pick === 'remote') return err('invalid-state');
    return ok(socketAddress((self as TcpSocket).family === 'ipv4' ? '0.0.0.0' : '::', 0));
  };
  return {
    '[method]tcp-socket.local-address': (self) => connected(self, 'local'),
    '[method]tcp-socket.remote-address': (self) => connected(self, 'remote'),
    '[method]tcp-socket.address-family': (self) => (self as TcpSocket).family,
    '[method]tcp-socket.subscribe': (self) => {
      const { state } = self as TcpSocket;
      return state.kind === 'connecting' ? state.pollable : alwaysReady;
    },
    '[method]tcp-socket.shutdown': (self, how) => {
      const { id, state } = self as TcpSocket;
      if (state.kind !== 'connected') return err('invalid-state');
      port.post('tcp.shutdown', [id, how as string]);
      return ok();
    },
  };
}
