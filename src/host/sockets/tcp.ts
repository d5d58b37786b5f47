// TCP connections of one call: outgoing only. The address is decided before a socket exists; reading waits for the
// guest and writing for the network. Listening is not offered: a guest is a tool, not a server.

import { connect, type Socket } from 'node:net';
import { HostFailure, type WireValue } from '../../core/port.ts';
import { createExclusive, type Exclusive } from '../exclusive.ts';
import type { Handles, Holding } from '../handles.ts';
import type { HostLimits } from '../limits.ts';
import type { Endpoints } from '../net/endpoint.ts';
import type { Operations } from '../operations.ts';
import { bytes, integer, text } from '../wire-args.ts';
import { socketFailure } from './errors.ts';

interface TcpHolding extends Holding {
  readonly kind: 'tcp';
  readonly socket: Socket;
  failure: HostFailure | null;
  readonly reading: Exclusive;
  readonly writing: Exclusive;
}

const NOTHING = new Uint8Array(0);

export function createTcp(endpoints: Endpoints, handles: Handles, limits: HostLimits): Operations {
  const held = (args: readonly WireValue[]): TcpHolding => handles.get<TcpHolding>('tcp', integer(args, 0));
  return {
    /** [id, address, port] → [local address, port, remote address, port] */
    'tcp.connect': async (args) => {
      const [id, port] = [integer(args, 0), integer(args, 2, 65_535)];
      if (port === 0) throw new HostFailure('invalid-argument');
      if (handles.count('tcp') >= limits.connections) throw new HostFailure('new-socket-limit');
      const { address, family } = endpoints.checkAddress('tcp', text(args, 1, 64), port);
      const socket = connect({ host: address, port, family, allowHalfOpen: true, noDelay: true });
      const holding: TcpHolding = {
        kind: 'tcp',
        socket,
        failure: null,
        reading: createExclusive(),
        writing: createExclusive(),
        close: () => void socket.destroy(),
      };
      handles.put(id, holding);
      socket.on('error', (error) => {
        holding.failure ??= socketFailure(error);
      });
      await connected(holding, limits.connectMs);
      return [socket.localAddress ?? '', socket.localPort ?? 0, address, port];
    },
    'tcp.read': (args) => {
      const holding = held(args);
      const most = Math.min(integer(args, 1), limits.chunkBytes);
      return holding.reading(() => read(holding, most));
    },
    'tcp.write': async (args) => {
      const holding = held(args);
      const data = bytes(args, 1, limits.chunkBytes);
      await holding.writing(() => write(holding, data));
      return null;
    },
    'tcp.shutdown': (args) => {
      const { socket } = held(args);
      const how = text(args, 1, 16);
      if (how !== 'receive') socket.end();
      if (how !== 'send') socket.resume();
      return null;
    },
    /** [id, enabled, idle ms] */
    'tcp.keep-alive': (args) => {
      held(args).socket.setKeepAlive(args[1] === true, integer(args, 2, 86_400_000));
      return null;
    },
  };
}

function connected(holding: TcpHolding, timeoutMs: number): Promise<void> {
  const { socket } = holding;
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      holding.failure = new HostFailure('timeout');
      socket.destroy();
    }, timeoutMs);
    socket.once('connect', () => {
      clearTimeout(timer);
      resolve();
    });
    socket.once('close', () => {
      clearTimeout(timer);
      reject(holding.failure ?? new HostFailure('connection-aborted'));
    });
  });
}

async function read(holding: TcpHolding, most: number): Promise<Uint8Array> {
  const { socket } = holding;
  for (;;) {
    const length = Math.min(most, socket.readableLength);
    const chunk: Buffer | null = length > 0 ? socket.read(length) : socket.read(0);
    if (chunk !== null && chunk.byteLength > 0) return chunk;
    if (holding.failure !== null) throw holding.failure;
    if (socket.readableEnded || socket.destroyed) return NOTHING;
    await once(socket, ['readable', 'end', 'close']);
  }
}

async function write({ socket, failure }: TcpHolding, data: Uint8Array): Promise<void> {
  if (failure !== null) throw failure;
  if (socket.writableEnded || socket.destroyed) throw new HostFailure('connection-reset');
  if (socket.write(data)) return;
  await once(socket, ['drain', 'close']);
}

function once(socket: Socket, events: readonly string[]): Promise<void> {
  return new Promise((resolve) => {
    const go = (): void => {
      for (const event of events) socket.off(event, go);
      resolve();
    };
    for (const event of events) socket.on(event, go);
  });
}
