// How many sockets there are, and how many one address may hold open. Proxies that are believed may hold any number:
// others stand behind them.

import type { Server, Socket } from 'node:net';
import { addressKey } from '../../core/address-key.ts';
import { type Peers, plainAddress } from './client-address.ts';

export interface Connections {
  readonly size: number;
}

export function limitConnections(server: Server, peers: Peers, most: () => number | null): Connections {
  const open = new Map<string, number>();
  let size = 0;
  server.on('connection', (socket: Socket) => {
    const address = plainAddress(socket.remoteAddress ?? '');
    const key = addressKey(address);
    const limit = most();
    const count = open.get(key) ?? 0;
    if (limit !== null && count >= limit && !peers.isProxy(address)) {
      socket.destroy();
      return;
    }
    size += 1;
    open.set(key, count + 1);
    socket.once('close', () => {
      size -= 1;
      const left = (open.get(key) ?? 1) - 1;
      if (left > 0) open.set(key, left);
      else open.delete(key);
    });
  });
  return {
    get size() {
      return size;
    },
  };
}
