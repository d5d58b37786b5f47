// Connections that do nothing: one request each, then silence; and as many again in tenths that never say a word.

import { type Attack, createTally, inWaves } from '../attack.ts';
import { exchange, open, requestText } from '../raw-client.ts';

export const idle: Attack = async ({ port, count }) => {
  const tally = createTally();
  const sockets: { destroy(): void }[] = [];
  const health = requestText({ method: 'GET', path: '/health' });
  await inWaves(count, 64, async () => {
    const socket = await open(port);
    const answer = socket && (await exchange(socket, health));
    if (socket === null || answer === null) {
      tally.add('refused');
      return;
    }
    tally.add(answer.status === 200 ? 'held' : `status ${answer.status}`);
    socket.on('close', () => tally.add('closed'));
    sockets.push(socket);
  });
  await inWaves(Math.ceil(count / 10), 64, async () => {
    const socket = await open(port);
    tally.add(socket === null ? 'mute refused' : 'mute');
    socket?.resume().on('close', () => tally.add('mute closed'));
    if (socket) sockets.push(socket);
  });
  return { tally: tally.read, release: () => sockets.forEach((socket) => void socket.destroy()) };
};
