// Bent bytes straight into the port: HTTP heads and bodies, WebSocket handshakes and frames, cut off anywhere.
// Whatever comes, the server closes or answers each, and goes on serving.

import { once } from 'node:events';
import { connect } from 'node:net';
import { createHarness } from '../mcp/harness.ts';
import { createRandom, mutate, type Random } from './mcp-mutate.ts';

const WIDTH = 16;

export async function fuzzBytes(count: number, seed: number): Promise<void> {
  const harness = await createHarness({ http: { limits: { graceMs: 100, requestMs: 1_000 } } });
  const random = createRandom(seed);
  const port = Number(new URL(harness.origin).port);
  try {
    for (const make of [httpBytes, webSocketBytes]) {
      for (let at = 0; at < count; at += WIDTH) {
        await Promise.all(
          Array.from({ length: Math.min(WIDTH, count - at) }, () => throwAt(port, make(random))),
        );
      }
      const answer = await fetch(`${harness.origin}/health`);
      if (answer.status !== 200) throw new Error(`Health is ${answer.status}`);
    }
  } finally {
    await harness.close();
  }
}

/** Sends, says that nothing more will come, and waits until the server has closed too. */
async function throwAt(port: number, bytes: Buffer): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  socket.resume();
  socket.end(bytes);
  const timer = setTimeout(() => socket.destroy(new Error('stuck')), 10_000);
  const [hadError] = (await once(socket, 'close')) as [boolean];
  clearTimeout(timer);
  if (hadError && socket.errored?.message === 'stuck')
    throw new Error(`Stuck on ${bytes.toString('latin1')}`);
}

function bend(bytes: Buffer, random: Random): Buffer {
  const bent = Buffer.from(bytes);
  for (let times = Math.floor(random() * 4); times > 0; times -= 1) {
    bent[Math.floor(random() * bent.length)] = Math.floor(random() * 256);
  }
  return random() < 0.3 ? bent.subarray(0, Math.floor(random() * bent.length)) : bent;
}

function httpBytes(random: Random): Buffer {
  const body = Buffer.from(mutate(random));
  const path = ['/mcp', '/mcp/rpc', '/sse', '/sse/message?session=x', '/ws', '/health'][
    Math.floor(random() * 6)
  ];
  const head = [
    `${random() < 0.8 ? 'POST' : 'GET'} ${path} HTTP/1.1`,
    'Host: localhost',
    'Content-Type: application/json',
    'Accept: application/json, text/event-stream',
    'MCP-Protocol-Version: 2026-07-28',
    'Mcp-Method: tools/call',
    'Connection: close',
    `Content-Length: ${random() < 0.9 ? body.length : Math.floor(random() * 1e6)}`,
  ];
  return bend(Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body]), random);
}

function webSocketBytes(random: Random): Buffer {
  const head = [
    'GET /ws HTTP/1.1',
    'Host: localhost',
    'Upgrade: websocket',
    'Connection: Upgrade',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
    'Sec-WebSocket-Protocol: mcp',
  ];
  const handshake = Buffer.from(`${head.join('\r\n')}\r\n\r\n`);
  const frames = Array.from({ length: 1 + Math.floor(random() * 3) }, () => frame(mutate(random), random));
  const bent = bend(Buffer.concat(frames), random);
  return Buffer.concat([random() < 0.9 ? handshake : bend(handshake, random), bent]);
}

function frame(text: string, random: Random): Buffer {
  const payload = Buffer.from(text).subarray(0, 65_535);
  const opcode = random() < 0.8 ? 0x81 : Math.floor(random() * 256);
  const length =
    payload.length < 126 ? [0x80 | payload.length] : [0x80 | 126, payload.length >> 8, payload.length & 255];
  return Buffer.concat([Buffer.from([opcode, ...length, 0, 0, 0, 0]), payload]);
}
