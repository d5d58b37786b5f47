// Drives HTTP servers with raw sockets: a given number of connections, one request in flight on each, bodies ready
// made. Says how many answers came per second.

import { connect, type Socket } from 'node:net';

export interface LoadOptions {
  readonly port: number;
  readonly connections: number;
  readonly seconds: number;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export async function load({ port, connections, seconds, body, headers = {} }: LoadOptions): Promise<number> {
  const lines = [
    'POST /mcp HTTP/1.1',
    'Host: 127.0.0.1',
    'Content-Type: application/json',
    'Accept: application/json, text/event-stream',
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ];
  const request = Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body}`);
  let answers = 0;
  let running = true;
  const one = (): Promise<Socket> =>
    new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1');
      let rest = '';
      socket.setEncoding('latin1');
      socket.on('connect', () => socket.write(request));
      socket.on('error', reject);
      socket.on('data', (part: string) => {
        rest += part;
        const end = rest.indexOf('\r\n\r\n');
        if (end < 0) return;
        const length = Number(/content-length: (\d+)/i.exec(rest)?.[1] ?? Number.NaN);
        if (!rest.startsWith('HTTP/1.1 200') || Number.isNaN(length)) {
          reject(new Error(`Unexpected answer: ${rest.slice(0, 500)}`));
          return;
        }
        if (rest.length < end + 4 + length) return;
        rest = '';
        answers += 1;
        if (running) socket.write(request);
        else resolve(socket);
      });
    });
  const sockets = Array.from({ length: connections }, one);
  await Promise.race([Promise.all(sockets), new Promise((resolve) => setTimeout(resolve, seconds * 1_000))]);
  const perSecond = answers / seconds;
  running = false;
  for (const socket of await Promise.all(sockets)) socket.destroy();
  return perSecond;
}
