// WebSocket, with the client that Node itself has.

import { createInbox, type Wire } from './wire.ts';

export interface WebSocketWire extends Wire {
  /** The close code, once it is closed. */
  readonly closed: Promise<number>;
}

export async function openWebSocket(url: string): Promise<WebSocketWire> {
  const box = createInbox();
  const socket = new WebSocket(url, 'mcp');
  socket.addEventListener('message', ({ data }) => box.receive(String(data)));
  const closed = new Promise<number>((resolve) => {
    socket.addEventListener('close', ({ code }) => resolve(code), { once: true });
  });
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve, { once: true });
    socket.addEventListener('error', () => reject(new Error('WebSocket was refused')), { once: true });
  });
  return {
    ...box,
    async send(text) {
      socket.send(text);
    },
    closed,
    async close() {
      socket.close();
      await closed;
    },
  };
}
