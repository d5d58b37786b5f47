// A WebSocket connection to a server, through Node's own client: text messages in, text messages out.

import { Inbox } from './inbox.ts';

export interface WebSocketWire {
  readonly inbox: Inbox;
  readonly protocol: string;
  write(text: string): void;
  close(): Promise<void>;
}

/** Asks for the subprotocol `mcp` first; a server that has none is still worth talking to. */
export async function openWebSocket(
  url: URL,
  headers: Readonly<Record<string, string>>,
  milliseconds: number,
): Promise<WebSocketWire> {
  const first = await open(new WebSocket(url, { protocols: ['mcp'], headers }), milliseconds);
  return first.inbox.ended === null ? first : open(new WebSocket(url, { headers }), milliseconds);
}

async function open(socket: WebSocket, milliseconds: number): Promise<WebSocketWire> {
  socket.binaryType = 'arraybuffer';
  const inbox = new Inbox(() => socket.close());
  socket.addEventListener('message', (event) => {
    inbox.push(
      typeof event.data === 'string' ? event.data : Buffer.from(event.data as ArrayBuffer).toString('utf8'),
    );
  });
  socket.addEventListener('close', (event) => inbox.end(`the server closed the WebSocket (${event.code})`));
  socket.addEventListener('error', () => inbox.end('the WebSocket failed'));
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    const done = () => {
      clearTimeout(timer);
      resolve();
    };
    socket.addEventListener('open', done, { once: true });
    socket.addEventListener('close', done, { once: true });
  });
  if (socket.readyState !== WebSocket.OPEN) inbox.end('the WebSocket did not open');
  return {
    inbox,
    protocol: socket.protocol,
    write(text) {
      if (socket.readyState === WebSocket.OPEN) socket.send(text);
    },
    async close() {
      if (socket.readyState === WebSocket.CLOSED) return;
      const closed = new Promise<void>((resolve) => {
        socket.addEventListener('close', () => resolve(), { once: true });
        setTimeout(resolve, 500).unref();
      });
      socket.close();
      await closed;
    },
  };
}
