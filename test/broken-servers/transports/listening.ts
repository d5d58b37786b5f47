// A server on a free port of the loopback, and the end of it with all its connections.

import type { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

export interface Listening {
  readonly url: URL;
  close(): Promise<void>;
}

export async function listening(
  server: ReturnType<typeof createServer>,
  scheme: string,
  path: string,
): Promise<Listening> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: new URL(`${scheme}://127.0.0.1:${port}${path}`),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
