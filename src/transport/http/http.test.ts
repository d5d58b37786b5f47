import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createHarness, type HarnessOptions } from '../../../test/mcp/harness.ts';
import { readEvents } from '../../../test/mcp/wire/events.ts';
import { Peer } from '../../../test/mcp/wire/peer.ts';
import type { Message } from '../../../test/mcp/wire/wire.ts';
import { ANYBODY } from '../../core/caller.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const initialize = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {} },
});
const large = JSON.stringify({ jsonrpc: '2.0', id: 3, method: 'tools/call', params: { name: 'large_text' } });
const list = JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/list' });

async function withServer(
  options: HarnessOptions,
  run: (harness: Awaited<ReturnType<typeof createHarness>>) => Promise<void>,
) {
  const harness = await createHarness(options);
  try {
    await run(harness);
  } finally {
    await harness.close();
  }
}

/** Some things come to pass a moment later; ten seconds is never. */
async function until(done: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + 10_000; Date.now() < end; ) if (await done()) return;
  assert.fail('It did not come to pass');
}

test('a session of one caller does not exist for another', async () => {
  const identify = ({ headers }: IncomingMessage) => ({
    ...ANYBODY,
    id: headers.authorization ?? '',
  });
  await withServer({ http: { identify } }, async ({ origin }) => {
    const post = (body: string, authorization: string, more = {}) =>
      fetch(`${origin}/mcp`, { method: 'POST', body, headers: { ...JSON_TYPE, authorization, ...more } });
    const session = (await post(initialize, 'ada')).headers.get('mcp-session-id')!;
    const header = { 'mcp-session-id': session };
    assert.equal((await post(list, 'ada', header)).status, 200);
    assert.equal((await post(list, 'eve', header)).status, 404);
    const end = { method: 'DELETE', headers: { ...header, authorization: 'eve' } };
    assert.equal((await fetch(`${origin}/mcp`, end)).status, 404);
    assert.equal((await post(list, 'ada', header)).status, 200, 'still there');
  });
});

test('CORS is for configured origins only', async () => {
  const page = 'https://app.example';
  await withServer({ http: { allowedOrigins: [page] } }, async ({ origin }) => {
    const preflight = (from: string) =>
      fetch(`${origin}/mcp`, {
        method: 'OPTIONS',
        headers: { origin: from, 'access-control-request-headers': 'content-type,mcp-param-region' },
      });
    const allowed = await preflight(page);
    assert.equal(allowed.headers.get('access-control-allow-origin'), page);
    assert.match(allowed.headers.get('access-control-allow-headers') ?? '', /Mcp-Method.*mcp-param-region/);
    assert.equal((await preflight('https://evil.example')).status, 403);
    const call = await fetch(`${origin}/mcp`, {
      method: 'POST',
      body: list,
      headers: { ...JSON_TYPE, origin: page },
    });
    assert.equal(call.headers.get('access-control-allow-origin'), page);
    const none = await fetch(`${origin}/mcp`, { method: 'POST', body: list, headers: JSON_TYPE });
    assert.equal(none.headers.get('access-control-allow-origin'), null);
  });
});

test('there is a most of sessions, and of legacy streams and WebSockets with them', async () => {
  await withServer({ http: { limits: { maxSessions: 2, graceMs: 100 } } }, async ({ origin, open }) => {
    const start = () => fetch(`${origin}/mcp`, { method: 'POST', body: initialize, headers: JSON_TYPE });
    assert.equal((await start()).status, 200);
    const socket = await open('websocket');
    assert.equal((await start()).status, 503);
    assert.equal((await fetch(`${origin}/sse`)).status, 503);
    await assert.rejects(open('websocket'));
    await socket.close();
    await until(async () => (await start()).status === 200);
  });
});

test('idle sessions end', async () => {
  await withServer(
    { http: { limits: { sessionIdleMs: 1, keepAliveMs: 10, graceMs: 100 } } },
    async ({ origin }) => {
      const opened = await fetch(`${origin}/mcp`, { method: 'POST', body: initialize, headers: JSON_TYPE });
      const header = { 'mcp-session-id': opened.headers.get('mcp-session-id')! };
      const late = () =>
        fetch(`${origin}/mcp`, { method: 'POST', body: list, headers: { ...JSON_TYPE, ...header } });
      await until(async () => {
        await sleep(20);
        return (await late()).status === 404;
      });
    },
  );
});

test('a body that comes too slowly is given up', async () => {
  await withServer({ http: { limits: { requestMs: 200, graceMs: 100 } } }, async ({ origin }) => {
    const socket = connect(Number(new URL(origin).port), '127.0.0.1');
    socket.write(
      'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{',
    );
    let answer = '';
    socket.on('data', (part: Buffer) => {
      answer += part.toString();
    });
    await once(socket, 'close');
    assert.match(answer, /^HTTP\/1\.1 408/);
  });
});

test('a client that does not read is let go, and the others notice nothing', async () => {
  const limits = { maxBacklogBytes: 256 * 1024, graceMs: 100 };
  await withServer({ http: { limits }, logLevels: 'debug' }, async ({ origin, logs }) => {
    const socket = connect(Number(new URL(origin).port), '127.0.0.1');
    socket.on('error', () => {});
    socket.write('GET /sse HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n');
    const [first] = (await once(socket, 'data')) as [Buffer];
    socket.pause();
    const path = /data: (\S+)/.exec(first.toString())?.[1];
    for (let round = 0; round < 100 && !logs.some((line) => line.includes('client went away')); round += 1) {
      await fetch(origin + path, { method: 'POST', body: large, headers: JSON_TYPE });
    }
    assert.ok(logs.some((line) => line.includes('client went away')));
    assert.equal((await fetch(`${origin}/health`)).status, 200);
    socket.destroy();
  });
});

test('when the server stops, calls finish, long ones are told, and listening ends with a result', async () => {
  const harness = await createHarness({ http: { limits: { graceMs: 2_000 } } });
  const wires = await Promise.all(
    (['http', 'sse', 'websocket', 'stdio'] as const).map((name) => harness.open(name)),
  );
  const peers = wires.map((wire) => new Peer(wire, '2026-07-28'));
  const ends = peers.map(async (peer) => {
    const short = peer.request('tools/call', { name: 'wait', arguments: { ms: 600 } });
    const long = peer.request('tools/call', { name: 'wait', arguments: { ms: 60_000 } });
    const listening = peer.request(
      'subscriptions/listen',
      { notifications: { toolsListChanged: true } },
      'l',
    );
    assert.deepEqual((await short).result?.content, [{ type: 'text', text: 'Waited' }]);
    assert.equal((await listening).result?._meta?.['io.modelcontextprotocol/subscriptionId'], 'l');
    assert.match((await long).error?.message ?? '', /shutting down/);
  });
  for (const { wire } of peers) {
    await wire.take(({ method }) => method === 'notifications/subscriptions/acknowledged');
  }
  await sleep(100);
  const closed = Promise.all([harness.close(), wires[3]!.close().catch(() => {})]);
  await Promise.all(ends);
  await closed;
});

test('a request that is quiet for long gets its stream, and keep-alives on it', async () => {
  await withServer(
    { http: { limits: { keepAliveMs: 10, quietMs: 20, graceMs: 100 } } },
    async ({ origin }) => {
      const body = JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'wait', arguments: { ms: 120 } },
      });
      const response = await fetch(`${origin}/mcp`, { method: 'POST', body, headers: JSON_TYPE });
      assert.equal(response.headers.get('content-type'), 'text/event-stream');
      const messages: Message[] = [];
      await readEvents(response, ({ data }) => {
        if (data) messages.push(JSON.parse(data) as Message);
      });
      assert.ok(messages[0]?.result);
    },
  );
});

test('paths that nobody serves are 404, and transports that are off too', async () => {
  await withServer({ http: { transports: ['http'] } }, async ({ origin, open }) => {
    assert.equal((await fetch(`${origin}/nope`)).status, 404);
    assert.equal((await fetch(`${origin}/sse`)).status, 404);
    await assert.rejects(open('websocket'));
    assert.equal(
      (await fetch(`${origin}/mcp/rpc`, { method: 'POST', body: list, headers: JSON_TYPE })).status,
      200,
    );
  });
});
