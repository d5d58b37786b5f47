// WebSocket around the server that is made for being broken: text frames only, no fragments.

import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { connect, createReceiver, type Fault } from '../server.ts';
import { emit } from './emit.ts';
import { type Listening, listening } from './listening.ts';

export async function serveWebSocket(fault: Fault): Promise<Listening> {
  const receive = createReceiver(fault);
  const server = createServer();
  server.on('upgrade', (request: IncomingMessage, socket: Socket) => {
    const key = `${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`;
    const accept = createHash('sha1').update(key).digest('base64');
    const asked = request.headers['sec-websocket-protocol'] !== undefined && !fault.http?.noSubprotocol;
    const lines = [
      'HTTP/1.1 101 Switching Protocols',
      'Upgrade: websocket',
      'Connection: Upgrade',
      `Sec-WebSocket-Accept: ${accept}`,
      ...(asked ? ['Sec-WebSocket-Protocol: mcp'] : []),
    ];
    socket.write(`${lines.join('\r\n')}\r\n\r\n`);
    const connection = connect('2025-11-25');
    let held = Buffer.alloc(0);
    socket.on('error', () => socket.destroy());
    socket.on('data', (chunk: Buffer) => {
      held = Buffer.concat([held, chunk]);
      for (let frame = readFrame(held); frame !== null; frame = readFrame(held)) {
        held = held.subarray(frame.size);
        if (frame.opcode === 8) return void socket.end();
        if (frame.opcode !== 1) continue;
        const outgoing = receive(frame.text, connection);
        if (outgoing.dies) return void socket.destroy();
        emit(outgoing, connection, (message) => {
          if (socket.writable) socket.write(textFrame(JSON.stringify(message)));
        });
      }
    });
  });
  return listening(server, 'ws', '/ws');
}

function readFrame(bytes: Buffer): { opcode: number; text: string; size: number } | null {
  if (bytes.length < 6) return null;
  const short = bytes[1]! & 0x7f;
  const head = short < 126 ? 2 : short === 126 ? 4 : 10;
  if (bytes.length < head + 4) return null;
  const length =
    short < 126 ? short : short === 126 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2));
  const size = head + 4 + length;
  if (bytes.length < size) return null;
  const mask = bytes.subarray(head, head + 4);
  const payload = bytes.subarray(head + 4, size).map((byte, index) => byte ^ mask[index % 4]!);
  return { opcode: bytes[0]! & 0x0f, text: Buffer.from(payload).toString('utf8'), size };
}

function textFrame(text: string): Buffer {
  const payload = Buffer.from(text, 'utf8');
  const head = payload.length < 126 ? Buffer.from([0x81, payload.length]) : Buffer.alloc(10);
  if (head.length === 10) {
    head[0] = 0x81;
    head[1] = 127;
    head.writeBigUInt64BE(BigInt(payload.length), 2);
  }
  return Buffer.concat([head, payload]);
}
