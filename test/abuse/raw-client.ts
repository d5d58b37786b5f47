// Sockets of an attacker: as raw as they come. Nothing that happens to them is an error here.

import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';

/** Gives null if the connection is refused. Binding to an address of one's own is slow for thousands of sockets. */
export function open(port: number, localAddress?: string): Promise<Socket | null> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', ...(localAddress && { localAddress }) });
    socket.once('connect', () => resolve(socket));
    socket.on('error', () => resolve(null));
  });
}

export interface RawRequest {
  readonly method?: string;
  readonly path?: string;
  readonly key?: string;
  readonly headers?: readonly string[];
  readonly body?: string;
}

export function requestText({ method = 'POST', path = '/mcp', key, headers = [], body }: RawRequest): string {
  const lines = [
    `${method} ${path} HTTP/1.1`,
    'Host: 127.0.0.1',
    ...(key === undefined ? [] : [`Authorization: Bearer ${key}`]),
    ...(body === undefined
      ? []
      : ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`]),
    ...headers,
  ];
  return `${lines.join('\r\n')}\r\n\r\n${body ?? ''}`;
}

/** One request, one answer, on a connection that stays open. Gives status and head, or null when it was closed. */
export function exchange(socket: Socket, text: string): Promise<{ status: number; text: string } | null> {
  return new Promise((resolve) => {
    let answer = '';
    const done = (value: { status: number; text: string } | null): void => {
      socket.off('data', take);
      socket.off('close', gone);
      resolve(value);
    };
    const gone = (): void => done(null);
    const take = (chunk: Buffer): void => {
      answer += chunk.toString('latin1');
      const end = answer.indexOf('\r\n\r\n');
      if (end < 0) return;
      const length = Number(/^content-length: (\d+)/im.exec(answer.slice(0, end))?.[1] ?? 0);
      if (answer.length >= end + 4 + length) done({ status: Number(answer.slice(9, 12)), text: answer });
    };
    socket.on('data', take);
    socket.on('close', gone);
    if (socket.destroyed) done(null);
    else socket.write(text);
  });
}

export function rpc(method: string, params: object, id: number | string = 1): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method, params });
}

export const INITIALIZE = rpc('initialize', {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'mallory', version: '1' },
});

/** A call whose answer has so many characters. */
export const loudCall = (size: number, id = 1): string =>
  rpc('tools/call', { name: 'text', arguments: { size } }, id);

/** Says which socket is a WebSocket now; null if that was refused. */
export async function openWebSocket(port: number, key: string): Promise<Socket | null> {
  const socket = await open(port);
  if (socket === null) return null;
  const headers = [
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}`,
    'Sec-WebSocket-Protocol: mcp',
  ];
  const answer = await exchange(socket, requestText({ method: 'GET', path: '/ws', key, headers }));
  if (answer?.status === 101) return socket;
  socket.destroy();
  return null;
}

/** A masked text frame, as clients must send them. */
export function textFrame(text: string): Buffer {
  const payload = Buffer.from(text);
  const head =
    payload.length < 126
      ? Buffer.from([0x81, 0x80 | payload.length])
      : Buffer.from([0x81, 0xfe, payload.length >> 8, payload.length & 255]);
  const mask = randomBytes(4);
  for (let at = 0; at < payload.length; at += 1) payload[at]! ^= mask[at % 4]!;
  return Buffer.concat([head, mask, payload]);
}
