// Clients that ask for much and read nothing: answers on one connection, on an event stream, on a WebSocket.

import type { Socket } from 'node:net';
import { type Attack, createTally, inWaves, type Target } from '../attack.ts';
import { exchange, loudCall, open, openWebSocket, requestText, textFrame } from '../raw-client.ts';

const SIZE = 256 * 1024;
const CALLS = 100;
const ACCEPT = ['Accept: application/json, text/event-stream'];

type Reader = (target: Target) => Promise<(Socket | null)[]>;

const plain: Reader = async ({ port, key }) => {
  const socket = await open(port);
  socket?.pause();
  const text = requestText({ key, body: loudCall(SIZE), headers: ACCEPT });
  for (let at = 0; at < CALLS; at += 1) socket?.write(text);
  return [socket];
};

const events: Reader = async ({ port, key }) => {
  const [stream, sender] = [await open(port), await open(port)];
  if (stream === null || sender === null) return [stream, sender];
  const endpoint = await new Promise<string>((resolve) => {
    let seen = '';
    const take = (chunk: Buffer): void => {
      seen += chunk.toString('latin1');
      const path = /data: (\/sse\/message\S+)/.exec(seen)?.[1];
      if (path === undefined && !/^HTTP\/1.1 [45]/.test(seen)) return;
      stream.off('data', take);
      stream.pause();
      resolve(path ?? '');
    };
    stream.on('data', take);
    stream.once('close', () => resolve(''));
    stream.write(requestText({ method: 'GET', path: '/sse', key, headers: ['Accept: text/event-stream'] }));
  });
  for (let at = 0; at < CALLS && endpoint !== ''; at += 1) {
    const answer = await exchange(sender, requestText({ path: endpoint, key, body: loudCall(SIZE, at) }));
    if (answer?.status !== 202) break;
  }
  return [stream, sender];
};

const messages: Reader = async ({ port, key }) => {
  const socket = await openWebSocket(port, key);
  socket?.pause();
  for (let at = 0; at < CALLS; at += 1) socket?.write(textFrame(loudCall(SIZE, at)));
  return [socket];
};

export const slowReaders: Attack = async (target) => {
  const tally = createTally();
  const sockets: Socket[] = [];
  await inWaves(target.count, 16, async (at) => {
    const reader = [plain, events, messages][at % 3]!;
    for (const socket of await reader(target)) {
      tally.add(socket === null ? 'refused' : 'held');
      socket?.on('close', () => tally.add('let go'));
      if (socket) sockets.push(socket);
    }
  });
  return { tally: tally.read, release: () => sockets.forEach((socket) => void socket.destroy()) };
};
