// A key that is revoked ends what its holder has open, on every transport, and nobody else's; and one caller and one
// address hold open only so much.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { type Guarded, modern, REVISION, startGuarded } from './guarded.ts';

const LIST = { jsonrpc: '2.0', id: 2, method: 'tools/list' };
const QUICK = { limits: { keepAliveMs: 20, graceMs: 100 } };

function openSocket(
  { origin }: Guarded,
  key: string,
): Promise<{ socket: WebSocket; closed: Promise<number> }> {
  const headers = { authorization: `Bearer ${key}` };
  const socket = new WebSocket(`${origin.replace('http', 'ws')}/ws`, {
    protocols: ['mcp'],
    headers,
  } as never);
  const closed = new Promise<number>((resolve) => {
    socket.addEventListener('close', ({ code }) => resolve(code));
  });
  return new Promise((resolve, reject) => {
    socket.addEventListener('open', () => resolve({ socket, closed }));
    socket.addEventListener('error', () => reject(new Error('WebSocket was refused')));
  });
}

test('what was open is closed: WebSocket, legacy stream, session with its stream, listening', async (t) => {
  const server = await startGuarded(t, QUICK);
  const { ada, eve, keys, get, post, session } = server;
  const id = await session(ada);
  const header = { 'mcp-session-id': id, 'mcp-protocol-version': REVISION };
  const { body, headers } = modern('subscriptions/listen', { notifications: { toolsListChanged: true } });
  const streams = [
    await get('/sse', ada),
    await get('/mcp', ada, header),
    await post(body, ada, { ...headers, accept: 'application/json, text/event-stream' }),
  ];
  assert.deepEqual(
    streams.map(({ status }) => status),
    [200, 200, 200],
  );
  const hers = await openSocket(server, ada);
  const others = await openSocket(server, eve);
  t.after(() => others.socket.close());
  await keys.revoke('ada');
  assert.equal(await hers.closed, 1008);
  for (const stream of streams) await stream.text();
  assert.equal((await post(LIST, ada, header)).status, 401);
  assert.equal(others.socket.readyState, WebSocket.OPEN);
});

test('the next message on a WebSocket is not served, however long the next look may be away', async (t) => {
  const server = await startGuarded(t, { limits: { keepAliveMs: 3_600_000, graceMs: 100 } });
  const { socket, closed } = await openSocket(server, server.ada);
  const heard: unknown[] = [];
  socket.addEventListener('message', ({ data }) => heard.push(data));
  await server.keys.revoke('ada');
  socket.send(JSON.stringify(LIST));
  assert.equal(await closed, 1008);
  assert.deepEqual(heard, []);
});

test('a session goes on by a newer proof of the same caller, and its streams end with the old one', async (t) => {
  const expiry = new Map([
    ['old', Date.now() + 300],
    ['new', Date.now() + 60_000],
  ]);
  const authenticate = ({ headers }: { headers: { authorization?: string | undefined } }) => ({
    id: 'subject:x#ada',
    kind: 'subject' as const,
    name: 'ada',
    scopes: [],
    groups: [],
    address: null,
    expiresAt: expiry.get(headers.authorization?.slice(7) ?? '') ?? 0,
  });
  const check = ({ expiresAt }: { expiresAt: number | null }) => {
    if (expiresAt !== null && expiresAt <= Date.now()) throw new Error('expired');
  };
  const { get, post, session } = await startGuarded(t, { ...QUICK, authenticate, check });
  const header = { 'mcp-session-id': await session('old'), 'mcp-protocol-version': REVISION };
  const stream = await get('/mcp', 'old', header);
  assert.match(await stream.text(), /retry: /);
  assert.equal((await post(LIST, 'new', header)).status, 200);
  const again = await get('/mcp', 'new', header);
  assert.equal(again.status, 200);
  await again.body?.cancel();
});

test('a caller has at most so many sessions: those not in use make room, those in use do not', async (t) => {
  const quotas = () => ({ sessionsPerCaller: 2, connectionsPerAddress: null });
  const server = await startGuarded(t, { quotas });
  const { ada, eve, post, get, session } = server;
  const use = async (id: string) =>
    (await post(LIST, ada, { 'mcp-session-id': id, 'mcp-protocol-version': REVISION })).status;
  const [first, second] = [await session(ada), await session(ada)];
  await use(first);
  const third = await session(ada);
  assert.deepEqual([await use(first), await use(second), await use(third)], [200, 404, 200]);
  const hold = (id: string) => get('/mcp', ada, { 'mcp-session-id': id, 'mcp-protocol-version': REVISION });
  const held = [await hold(first), await hold(third)];
  assert.equal(await session(ada), '');
  const refused = await get('/sse', ada);
  assert.equal(refused.status, 429);
  assert.ok(Number(refused.headers.get('retry-after')) > 0);
  await assert.rejects(openSocket(server, ada));
  assert.notEqual(await session(eve), '', 'others have their own');
  for (const stream of held) await stream.body?.cancel();
});

test('an address holds open at most so many connections', async (t) => {
  const quotas = () => ({ sessionsPerCaller: null, connectionsPerAddress: 3 });
  const { origin } = await startGuarded(t, { quotas });
  const port = Number(new URL(origin).port);
  const dial = () => connect({ port, host: '127.0.0.1' }).on('error', () => {});
  const held = [dial(), dial(), dial()];
  for (const socket of held) await once(socket, 'connect');
  const over = dial();
  await once(over, 'close');
  held[0]?.destroy();
  const answers = async () => {
    const socket = dial();
    socket.write('GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
    let said = '';
    for await (const chunk of socket) said += chunk;
    return said;
  };
  let said = '';
  for (let tries = 0; tries < 100 && said === ''; tries++) said = await answers();
  assert.match(said, /^HTTP\/1\.1 200/, 'room again once one has gone');
  for (const socket of held) socket.destroy();
});

test('components are told when a session is over, however it ends', async (t) => {
  const server = await startGuarded(t, QUICK);
  const { ada, get, session, origin, catalog } = server;
  const ended: string[] = [];
  Object.assign(catalog, { endSession: (id: string) => ended.push(id) });
  const until = async (count: number) => {
    for (const end = Date.now() + 10_000; new Set(ended).size < count && Date.now() < end; )
      await new Promise((resolve) => setTimeout(resolve, 10));
    assert.equal(new Set(ended).size, count);
  };
  const id = await session(ada);
  await fetch(`${origin}/mcp`, {
    method: 'DELETE',
    headers: { 'mcp-session-id': id, authorization: `Bearer ${ada}` },
  });
  assert.deepEqual(ended, [id]);
  const stream = await get('/sse', ada);
  await stream.body?.cancel();
  await until(2);
  const { socket } = await openSocket(server, ada);
  socket.close();
  await until(3);
  await session(ada);
  await server.keys.revoke('ada');
  await until(4);
});
