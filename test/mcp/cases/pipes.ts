// Cases about the transports with one pipe per client: stdio, legacy SSE, WebSocket.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { PassThrough } from 'node:stream';
import { ANYBODY } from '../../../src/core/caller.ts';
import { serveStdio } from '../../../src/transport/stdio/stdio.ts';
import type { Case } from '../case.ts';
import { readEvents } from '../wire/events.ts';
import { Peer } from '../wire/peer.ts';

const HANDSHAKE = [
  'GET /ws HTTP/1.1',
  'Host: localhost',
  'Upgrade: websocket',
  'Connection: Upgrade',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
];

/** Sends raw bytes after (or instead of) a good handshake and gives back everything that came. */
async function raw(origin: string, lines: string[], ...bytes: number[][]): Promise<Buffer> {
  const socket = connect(Number(new URL(origin).port), '127.0.0.1');
  const parts: Buffer[] = [];
  socket.on('data', (part: Buffer) => parts.push(part));
  socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  for (const part of bytes) socket.write(Buffer.from(part));
  await once(socket, 'close');
  return Buffer.concat(parts);
}

const closeCode = (answer: Buffer): number => {
  const at = answer.indexOf('\r\n\r\n') + 4;
  assert.equal(answer[at], 0x88, 'a close frame');
  return answer.readUInt16BE(at + 2);
};

export const pipeCases: readonly Case[] = [
  {
    name: 'lines may be split, joined, end in CRLF or be blank; stdout has one message per line and nothing else',
    verifies: ['stdio-lines', 'stdio-only-messages', 'stdio-end'],
    transports: ['stdio'],
    async run({ harness, wire, revision }) {
      const peer = new Peer(await wire(), revision);
      const input = new PassThrough();
      const output = new PassThrough();
      const transport = serveStdio(harness.protocol, { input, output }, ANYBODY);
      const call = (id: number) =>
        JSON.stringify(
          peer.message('tools/call', { name: 'test_simple_text', arguments: { 'ü\n': '€' } }, id),
        );
      const bytes = Buffer.from(`${call(1)}\r\n\n  \n${call(2)}\n${call(3)}`);
      for (let at = 0; at < bytes.length; at += 7) input.write(bytes.subarray(at, at + 7));
      input.end();
      await transport.closed;
      const lines = (output.read() as Buffer).toString().split('\n');
      assert.equal(lines.pop(), '', 'the last line ends');
      const ids = lines.map((line) => (JSON.parse(line) as { id: number }).id);
      assert.deepEqual(ids.sort(), [1, 2, 3]);
    },
  },
  {
    name: 'the stream starts with the address to post to',
    verifies: ['sse-endpoint'],
    transports: ['sse'],
    async run({ harness: { origin } }) {
      const abort = new AbortController();
      const response = await fetch(`${origin}/sse`, { signal: abort.signal });
      const first = await new Promise<string>((resolve) => {
        readEvents(response, ({ event, data }) => resolve(`${event} ${data}`)).catch(() => {});
      });
      assert.match(first, /^endpoint \/sse\/message\?session=[\w-]{32}$/);
      abort.abort();
      const post = (path: string) =>
        fetch(origin + path, { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } });
      assert.equal((await post('/sse/message?session=nope')).status, 404);
      assert.equal((await post('/sse/message')).status, 404);
      assert.equal((await post('/sse')).status, 405);
    },
  },
  {
    name: 'a handshake that is not one for MCP is refused, and frames that RFC 6455 forbids end the connection',
    verifies: ['websocket-framing'],
    transports: ['websocket'],
    async run({ harness: { origin } }) {
      const good = [...HANDSHAKE, 'Sec-WebSocket-Protocol: chat, mcp'];
      assert.match((await raw(origin, HANDSHAKE)).toString(), /^HTTP\/1\.1 400/);
      assert.match(
        (await raw(origin, [...good, 'Origin: http://evil.example'])).toString(),
        /^HTTP\/1\.1 403/,
      );
      const closes = async (code: number, ...bytes: number[]) =>
        assert.equal(closeCode(await raw(origin, good, bytes)), code, bytes.join());
      const masked = [0, 0, 0, 0];
      await closes(1002, 0x81, 0x01, 0x41);
      await closes(1002, 0xc1, 0x80, ...masked);
      await closes(1002, 0x83, 0x80, ...masked);
      await closes(1002, 0x80, 0x80, ...masked);
      await closes(1002, 0x09, 0x80, ...masked);
      await closes(1002, 0x81, 0xfe, 0, 5, ...masked);
      await closes(1003, 0x82, 0x80, ...masked);
      await closes(1007, 0x81, 0x81, ...masked, 0xff);
      await closes(1009, 0x81, 0xff, 0, 0, 0, 0, 0x10, 0, 0, 0, ...masked);
      await closes(1000, 0x88, 0x80, ...masked);
    },
  },
];
