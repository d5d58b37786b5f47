// What a caller over a limit is told over HTTP, in revisions that give errors a status and in those that do not.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFixtureCatalog } from '../../test/mcp/fixture/catalog.ts';
import { createLogger } from '../core/log.ts';
import { createProtocol } from '../protocol/protocol.ts';
import { createServer } from '../server/server.ts';
import { NO_METER } from '../telemetry/ports.ts';
import { serveHttp } from '../transport/http/http.ts';
import { createAdmission } from './admission.ts';

test('who asks too often gets 429 with when to come back, in every revision', async (t) => {
  const server = createServer(createFixtureCatalog(), { info: { name: 'limited', version: '1' } });
  const admission = createAdmission(
    {
      caller: { requests: { rate: 0.1, burst: 1 }, concurrent: null, sessions: null, bytesPerDay: null },
      address: { requests: null, failures: null, connections: null },
      tools: [],
      concurrent: 8,
      queue: 8,
    },
    { meter: NO_METER, audit: null, elapsed: () => 0 },
  );
  const protocol = createProtocol(server, createLogger({ levels: 'silent', write() {} }), { admission });
  const http = await serveHttp(protocol, {});
  t.after(async () => {
    server.close();
    await http.close();
  });
  const post = (method: string, params: object, headers: Record<string, string>) =>
    fetch(`http://127.0.0.1:${http.port}/mcp`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        ...headers,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
  const clientInfo = { name: 'test', version: '1' };
  const initialize = (protocolVersion: string) =>
    post('initialize', { protocolVersion, capabilities: {}, clientInfo }, {});
  assert.equal((await initialize('2025-06-18')).status, 200, 'the one token there is');
  const newest = post(
    'tools/list',
    {
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientInfo': clientInfo,
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    },
    { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'tools/list' },
  );
  const unknown = post('tools/none', {}, {});
  for (const answer of [
    await initialize('2025-03-26'),
    await initialize('2025-06-18'),
    await newest,
    await unknown,
  ]) {
    assert.equal(answer.status, 429);
    assert.equal(answer.headers.get('retry-after'), '10');
    assert.equal(answer.headers.get('ratelimit'), '"limits.caller.requests";r=0;t=10');
    assert.equal(answer.headers.get('ratelimit-policy'), '"limits.caller.requests";q=1;w=10');
    const { error } = (await answer.json()) as { error: { code: number; data: object } };
    assert.equal(error.code, -32000);
    assert.deepEqual(error.data, { limit: 'limits.caller.requests', retryAfterMs: 10_000 });
  }
});
