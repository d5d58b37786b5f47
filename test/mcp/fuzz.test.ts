import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fuzzBytes } from '../fuzz/mcp-bytes.ts';
import { fuzz } from '../fuzz/mcp-fuzz.ts';
import { TRANSPORTS } from './harness.ts';

for (const transport of TRANSPORTS) {
  test(`${transport} survives bent messages and never answers a notification`, async () => {
    const { sent, answered } = await fuzz(transport, 500, 7);
    assert.equal(sent, 500);
    assert.ok(answered > 50, 'bent requests are answered with an error');
  });
}

test('the port survives bent bytes of HTTP and WebSocket', () => fuzzBytes(160, 7));
