// UDP of one call. Each destination is decided when something is sent to it, and only those who were sent to are heard:
// a bound port is not an open ear.

import { createSocket, type Socket } from 'node:dgram';
import { HostFailure, type WireValue } from '../../core/port.ts';
import { formatAddress, parseAddress } from '../../policy/address.ts';
import type { Handles, Holding } from '../handles.ts';
import type { HostLimits } from '../limits.ts';
import type { Endpoints } from '../net/endpoint.ts';
import type { Operations } from '../operations.ts';
import { bytes, integer, list, text } from '../wire-args.ts';
import { socketFailure } from './errors.ts';

interface UdpHolding extends Holding {
  readonly kind: 'udp';
  readonly socket: Socket;
  readonly family: 4 | 6;
  /** `address port` of everyone sent to. */
  readonly peers: Set<string>;
  readonly inbox: WireValue[];
  inboxBytes: number;
  wake: (() => void) | null;
  closed: boolean;
}

const MOST_PEERS = 64;
const MOST_DATAGRAM = 65_507;

export function createUdp(endpoints: Endpoints, handles: Handles, limits: HostLimits): Operations {
  const held = (args: readonly WireValue[]): UdpHolding => handles.get<UdpHolding>('udp', integer(args, 0));
  return {
    /** [id, family] → [local address, port]; the port is always the system's choice. */
    'udp.open': async (args) => {
      if (handles.count('udp') >= limits.connections) throw new HostFailure('new-socket-limit');
      const holding = createHolding(args[1] === 6 ? 6 : 4, limits);
      handles.put(integer(args, 0), holding);
      await bound(holding.socket);
      const { address, port } = holding.socket.address();
      return [address, port];
    },
    /** [id, [[bytes, address, port] …]] → how many were sent */
    'udp.send': async (args) => {
      const holding = held(args);
      let sent = 0;
      for (const row of list(args, 1, 64)) {
        const parts = list([row], 0, 3);
        const data = bytes(parts, 0, MOST_DATAGRAM);
        const port = integer(parts, 2, 65_535);
        const { address, family } = endpoints.checkAddress('udp', text(parts, 1, 64), port);
        if (family !== holding.family || port === 0) throw new HostFailure('invalid-argument');
        if (holding.peers.size >= MOST_PEERS) throw new HostFailure('new-socket-limit');
        holding.peers.add(`${address} ${port}`);
        await send(holding.socket, data, port, address);
        sent++;
      }
      return sent;
    },
    /** [id, most] → [[bytes, address, port] …], at least one */
    'udp.receive': async (args) => {
      const holding = held(args);
      while (holding.inbox.length === 0) {
        if (holding.closed) throw new HostFailure('invalid-state');
        if (holding.wake !== null) throw new HostFailure('concurrency-conflict');
        await new Promise<void>((resolve) => {
          holding.wake = resolve;
        });
      }
      const rows = holding.inbox.splice(0, Math.min(Math.max(integer(args, 1), 1), 64));
      for (const row of rows) holding.inboxBytes -= (row as [Uint8Array])[0].byteLength;
      return rows;
    },
  };
}

function createHolding(family: 4 | 6, limits: HostLimits): UdpHolding {
  const socket = createSocket({ type: family === 4 ? 'udp4' : 'udp6', ipv6Only: family === 6 });
  const holding: UdpHolding = {
    kind: 'udp',
    socket,
    family,
    peers: new Set(),
    inbox: [],
    inboxBytes: 0,
    wake: null,
    closed: false,
    close() {
      holding.closed = true;
      holding.wake?.();
      socket.close();
    },
  };
  socket.on('error', () => {});
  socket.on('message', (data, from) => {
    const address = parseAddress(from.address);
    if (address === undefined || !holding.peers.has(`${formatAddress(address)} ${from.port}`)) return;
    // Full: the network drops datagrams too.
    if (holding.inboxBytes + data.byteLength > limits.chunkBytes * 4) return;
    holding.inbox.push([data, formatAddress(address), from.port]);
    holding.inboxBytes += data.byteLength;
    holding.wake?.();
    holding.wake = null;
  });
  return holding;
}

function bound(socket: Socket): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once('error', (error) => reject(socketFailure(error)));
    socket.bind(0, () => resolve());
  });
}

function send(socket: Socket, data: Uint8Array, port: number, address: string): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.send(data, port, address, (error) => (error ? reject(socketFailure(error)) : resolve()));
  });
}
