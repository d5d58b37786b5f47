// Nobody can take what others need and keep it: open requests, and the places of those who left before they were let in.

import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { test } from 'node:test';
import { ANYBODY } from '../../src/core/caller.ts';
import { define, text as words } from '../mcp/fixture/define.ts';
import { modern, startGuarded } from './guarded.ts';

const LIST = { jsonrpc: '2.0', id: 2, method: 'tools/list' };

test('one caller who listens without end leaves room for the requests of others', async (t) => {
  const { ada, eve, post, origin } = await startGuarded(t, { limits: { maxStreams: 8, graceMs: 100 } });
  const { body, headers } = modern('subscriptions/listen', { notifications: { toolsListChanged: true } });
  const text = JSON.stringify(body);
  const lines = Object.entries({
    host: 'localhost',
    authorization: `Bearer ${eve}`,
    'content-type': 'application/json',
    'content-length': `${text.length}`,
    ...headers,
  }).map(([name, value]) => `${name}: ${value}`);
  const held = Array.from({ length: 5 }, () => connect(Number(new URL(origin).port), '127.0.0.1'));
  const release = (): void => {
    for (const socket of held) socket.destroy();
  };
  t.after(release);
  for (const socket of held) {
    socket.write(`POST /mcp HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${text}`);
    await once(socket, 'data');
  }

  for (let tries = 0; tries < 20; tries++) assert.equal((await post(LIST, ada)).status, 200);
  const refused = await post(LIST, eve);
  assert.equal(refused.status, 503);
  assert.match(await refused.text(), /of one caller/);
  release();
  let status = 503;
  for (const end = Date.now() + 10_000; status === 503 && Date.now() < end; )
    status = (await post(LIST, eve)).status;
  assert.equal(status, 200, 'room again once they are gone');
});

test('what is sent ahead of an answer begins in its turn, and too much of it ends the connection', async (t) => {
  const { ada, catalog, origin, post } = await startGuarded(t);
  let ran = 0;
  catalog.addTool(
    define('count', 'Counts', () => {
      ran += 1;
      return words('counted');
    }),
  );
  const request = (body: object, headers: Record<string, string>, key = ada): string => {
    const text = JSON.stringify(body);
    const all = { ...headers, authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
    return `POST /mcp HTTP/1.1\r\nHost: localhost\r\n${lines.join('')}Content-Length: ${text.length}\r\n\r\n${text}`;
  };
  const open = () => connect(Number(new URL(origin).port), '127.0.0.1');
  const call = { jsonrpc: '2.0', id: 3, method: 'tools/call', params: { name: 'count', arguments: {} } };
  const { body, headers } = modern('subscriptions/listen', { notifications: { toolsListChanged: true } });
  const listen = request(body, headers);

  const behind = open();
  t.after(() => behind.destroy());
  behind.write(listen + request(call, {}).repeat(5));
  await once(behind, 'data');
  assert.equal((await post(call, ada)).status, 200);
  assert.equal(ran, 1, 'none of those behind one that never ends');

  const many = open();
  many.on('error', () => {});
  many.write(listen + request(call, {}).repeat(200));
  await once(many.resume(), 'close');

  const patient = open();
  patient.write(request(call, {}).repeat(4) + request(call, { connection: 'close' }));
  let said = '';
  for await (const chunk of patient) said += chunk;
  assert.equal(said.match(/HTTP\/1\.1 200/g)?.length, 5, 'all in turn');
  assert.equal(ran, 6);
});

test('who leaves before being let in takes no place with them', async (t) => {
  const doors = new EventEmitter();
  const identify = async ({ headers, socket }: IncomingMessage) => {
    if (headers['x-leaves'] === undefined) return ANYBODY;
    doors.emit('asked');
    await new Promise<void>((resolve) => socket.once('close', () => resolve()));
    setImmediate(() => doors.emit('left'));
    return ANYBODY;
  };
  const { origin, get } = await startGuarded(t, { identify, limits: { maxSessions: 1, graceMs: 100 } });
  const upgrade =
    'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n' +
    'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Protocol: mcp\r\n';
  for (const head of ['GET /sse HTTP/1.1\r\n', `GET /ws HTTP/1.1\r\n${upgrade}`]) {
    const socket = connect(Number(new URL(origin).port), '127.0.0.1');
    socket.write(`${head}Host: localhost\r\nX-Leaves: 1\r\n\r\n`);
    await once(doors, 'asked');
    const left = once(doors, 'left');
    socket.resetAndDestroy();
    await left;
    let status = 503;
    for (const end = Date.now() + 5_000; status === 503 && Date.now() < end; ) {
      const stream = await get('/sse', null);
      ({ status } = stream);
      await stream.body?.cancel();
    }
    assert.equal(status, 200, head);
  }
});

test('a message whose stream ended while it was on its way is not served', async (t) => {
  const { ada, get, origin } = await startGuarded(t);
  const reading = new AbortController();
  const headers = { accept: 'text/event-stream', authorization: `Bearer ${ada}` };
  const stream = await fetch(`${origin}/sse`, { headers, signal: reading.signal });
  const first = Buffer.from((await stream.body?.getReader().read())?.value ?? []).toString();
  const path = /data: (\S+)/.exec(first)?.[1] ?? '';
  const send = (body: string) =>
    fetch(origin + path, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${ada}` },
    });
  const text = JSON.stringify(LIST);
  const late = connect(Number(new URL(origin).port), '127.0.0.1');
  t.after(() => late.destroy());
  late.write(
    `POST ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${ada}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${text.length}\r\n\r\n${text.slice(0, 5)}`,
  );
  assert.equal((await send(text)).status, 202);
  reading.abort();
  let status = 202;
  for (const end = Date.now() + 10_000; status === 202 && Date.now() < end; )
    status = (await send(text)).status;
  assert.equal(status, 404, 'the stream is gone');
  late.write(text.slice(5));
  const [answer] = await once(late, 'data');
  assert.match(String(answer), /^HTTP\/1\.1 404/);
  assert.equal((await get('/health', null)).status, 200);
});
