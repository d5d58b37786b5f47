import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createHarness } from '../../../test/mcp/harness.ts';
import { DEFAULT_LIMITS } from '../limits.ts';
import { createEventStream, type ReplayBudget } from './event-stream.ts';

const call = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'large_text' } });
const REQUEST = `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: ${call.length}\r\n\r\n${call}`;

test('clients that do not read hold so much together, and whoever reads is served meanwhile', async () => {
  // What the system takes into its own buffers comes on top.
  const harness = await createHarness({ http: { limits: { maxBacklogBytes: 1 << 20 } } });
  const port = Number(new URL(harness.origin).port);
  const sockets: Socket[] = [];
  try {
    for (let at = 0; at < 60; at += 1) {
      const socket = connect(port, '127.0.0.1').pause();
      socket.on('error', () => {});
      // Asked for ahead of what it reads, so that no buffer of the system takes it all.
      for (let ahead = 0; ahead < 8; ahead += 1) socket.write(REQUEST);
      sockets.push(socket);
    }
    const letGo = (): boolean => harness.logs.some((line) => line.includes('slow readers let go'));
    for (const end = Date.now() + 10_000; !letGo() && Date.now() < end; ) await sleep(50);
    assert.ok(letGo());
    const answer = await fetch(`${harness.origin}/mcp`, {
      method: 'POST',
      body: call,
      headers: { 'content-type': 'application/json' },
    });
    assert.equal(
      ((await answer.json()) as { result: { content: { text: string }[] } }).result.content[0]?.text.length,
      1_000_000,
    );
  } finally {
    for (const socket of sockets) socket.destroy();
    await harness.close();
  }
});

test('streams keep so much together for those who come back, and give it back when they end', () => {
  const replay: ReplayBudget = { used: 0, most: 1_000 };
  const limits = { ...DEFAULT_LIMITS, maxReplayBytes: 600 };
  const streams = Array.from({ length: 5 }, (_, at) =>
    createEventStream({ name: `${at}`, primes: () => false, limits, replay }),
  );
  for (let round = 0; round < 10; round += 1) for (const stream of streams) stream.push('x'.repeat(100));
  assert.ok(replay.used <= 1_000 && replay.used > 500, `${replay.used}`);
  const written: string[] = [];
  const response = {
    on() {},
    writeHead() {},
    flushHeaders() {},
    write: (text: string) => written.push(text),
    end() {},
    writableLength: 0,
  } as unknown as ServerResponse;
  streams[0]!.attach(response, 0);
  assert.match(written.at(-1) ?? '', /^id: 0-\d+\n/, 'what is left can be replayed');
  for (const stream of streams) stream.close();
  assert.equal(replay.used, 0);
});
