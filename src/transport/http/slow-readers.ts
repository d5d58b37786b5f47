// Unsent output of all clients together is bounded, not of each alone: thousands of clients that do not read would
// otherwise hold as many times what one may. Beyond the bound those who hold most are let go. Looked at a few times a
// second, so that writing costs nothing.

import type { Server, Socket } from 'node:net';
import type { Logger } from '../../core/log.ts';

const LOOK_MS = 250;

/** Gives what ends the watching. */
export function watchSlowReaders(server: Server, most: number, log: Logger): () => void {
  const sockets = new Set<Socket>();
  const add = (socket: Socket): void => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  };
  // Over TLS the output waits in the secure socket.
  server.on('connection', add);
  server.on('secureConnection', add);
  const timer = setInterval(() => shed(sockets, most, log), LOOK_MS).unref();
  return () => clearInterval(timer);
}

function shed(sockets: ReadonlySet<Socket>, most: number, log: Logger): void {
  let total = 0;
  for (const { writableLength } of sockets) total += writableLength;
  if (total <= most) return;
  let dropped = 0;
  for (const socket of [...sockets].sort((a, b) => b.writableLength - a.writableLength)) {
    if (total <= most) break;
    total -= socket.writableLength;
    socket.destroy();
    dropped += 1;
  }
  log.warn('slow readers let go', { dropped });
}
