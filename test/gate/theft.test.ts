// What is one caller's is worth nothing to another: sessions, streams, tasks and states; and nothing to nobody.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { createHarness } from '../mcp/harness.ts';
import { modern, REVISION, startGuarded } from './guarded.ts';

const LIST = { jsonrpc: '2.0', id: 2, method: 'tools/list' };
type Answer = { result?: Record<string, unknown>; error?: { code: number; message: string } };

test('a stolen session id opens nothing: no call, no stream, no past events, no end', async (t) => {
  const { ada, eve, post, get, session, origin } = await startGuarded(t);
  const id = await session(ada);
  assert.ok(Buffer.from(id, 'base64url').length >= 16);
  const header = { 'mcp-session-id': id, 'mcp-protocol-version': REVISION };
  const log = { jsonrpc: '2.0', id: 3, method: 'tools/call', params: { name: 'test_tool_with_logging' } };
  const own = await post(log, ada, { ...header, accept: 'text/event-stream, application/json' });
  const event = /id: (\S+)/.exec(await own.text())?.[1] ?? '';
  assert.match(event, /^\d+-\d+$/);

  const end = (key: string) =>
    fetch(`${origin}/mcp`, { method: 'DELETE', headers: { ...header, authorization: `Bearer ${key}` } });
  const resume = { ...header, 'last-event-id': event };
  const attempts: [number, () => Promise<Response>][] = [
    [404, () => post(LIST, eve, header)],
    [404, () => get('/mcp', eve, header)],
    [404, () => get('/mcp', eve, resume)],
    [404, () => end(eve)],
    [401, () => post(LIST, null, header)],
    [401, () => get('/mcp', null, resume)],
    [401, () => end('')],
  ];
  for (const [status, attempt] of attempts) {
    const response = await attempt();
    assert.equal(response.status, status);
    assert.doesNotMatch(await response.text(), /ada/);
  }
  const missing = await (await post(LIST, eve, { ...header, 'mcp-session-id': 'x'.repeat(32) })).text();
  assert.equal(await (await post(LIST, eve, header)).text(), missing, 'as if it had never been');
  assert.equal((await post(LIST, ada, header)).status, 200, 'and its owner goes on');
  const replayed = await get('/mcp', ada, { ...header, 'last-event-id': '1-0' });
  assert.equal(replayed.status, 200);
  await replayed.body?.cancel();
});

test('the address of a legacy stream is for its owner alone', async (t) => {
  const { ada, eve, get, origin } = await startGuarded(t);
  const stream = await get('/sse', ada);
  const reader = stream.body?.getReader();
  const first = Buffer.from((await reader?.read())?.value ?? []).toString();
  const path = /data: (\S+)/.exec(first)?.[1] ?? '';
  const post = (key: string | null) =>
    fetch(origin + path, {
      method: 'POST',
      body: JSON.stringify(LIST),
      headers: { 'content-type': 'application/json', ...(key && { authorization: `Bearer ${key}` }) },
    });
  assert.equal((await post(eve)).status, 404);
  assert.equal((await post(null)).status, 401);
  assert.equal((await post(ada)).status, 202);
  await reader?.cancel();
});

test('a task belongs to its caller', async (t) => {
  const { ada, eve, post } = await startGuarded(t);
  const ask = async (key: string, method: string, params: Record<string, unknown>): Promise<Answer> => {
    const { body, headers } = modern(method, params);
    return (await post(body, key, headers)).json() as Promise<Answer>;
  };
  const begun = await ask(ada, 'tools/call', { name: 'slow_compute', arguments: { seconds: 30 } });
  const taskId = String(begun.result?.taskId);
  assert.ok(taskId.length >= 22, JSON.stringify(begun));
  for (const method of ['tasks/get', 'tasks/cancel', 'tasks/update']) {
    const { error } = await ask(eve, method, { taskId, inputResponses: {} });
    assert.equal(error?.code, -32602, method);
    const { error: unknown } = await ask(eve, method, {
      taskId: 'x'.repeat(taskId.length),
      inputResponses: {},
    });
    assert.equal(
      error?.message.replaceAll(taskId, ''),
      unknown?.message.replaceAll('x'.repeat(taskId.length), ''),
    );
  }
  assert.equal((await ask(ada, 'tasks/get', { taskId })).result?.status, 'working', 'it goes on');
  assert.ok((await ask(ada, 'tasks/cancel', { taskId })).result);
});

test('strangers without a session do not find each other’s tasks', async (t) => {
  const { origin, close } = await createHarness();
  t.after(close);
  const ask = async (method: string, params: object, headers: Record<string, string> = {}) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const type = { 'content-type': 'application/json', 'mcp-protocol-version': REVISION };
    return fetch(`${origin}/mcp`, { method: 'POST', body, headers: { ...type, ...headers } });
  };
  const slow = { name: 'slow_compute', arguments: { seconds: 30 }, task: { ttl: 60_000 } };
  const begun = (await (await ask('tools/call', slow)).json()) as { result: { task: { taskId: string } } };
  const { taskId } = begun.result.task;
  assert.ok(taskId.length >= 22);
  assert.deepEqual(((await (await ask('tasks/list', {})).json()) as Answer).result?.tasks, []);
  assert.equal(
    ((await (await ask('tasks/get', { taskId })).json()) as Answer).result?.status,
    'working',
    'who has the id finds it',
  );
  assert.equal((await ask('tasks/cancel', { taskId })).status, 200);
});

test('a request state belongs to its caller', async (t) => {
  const { ada, eve, post } = await startGuarded(t);
  const name = 'test_input_required_result_request_state';
  const ask = async (key: string, more: Record<string, unknown> = {}): Promise<Answer> => {
    const { body, headers } = modern('tools/call', { name, arguments: {}, ...more });
    return (await post(body, key, headers)).json() as Promise<Answer>;
  };
  const { requestState } = (await ask(ada)).result ?? {};
  assert.equal(typeof requestState, 'string');
  const inputResponses = { confirm: { action: 'accept', content: { ok: true } } };
  const { error } = await ask(eve, { requestState, inputResponses });
  assert.equal(error?.code, -32602);
  assert.match(JSON.stringify((await ask(ada, { requestState, inputResponses })).result), /state-ok/);
});

test('no credential is taken from the address, and two are refused', async (t) => {
  const { ada, eve, origin, post } = await startGuarded(t);
  const headers = { 'content-type': 'application/json' };
  for (const query of [
    `access_token=${ada}`,
    `api_key=${ada}`,
    `authorization=Bearer%20${ada}`,
    `key=${ada}`,
  ]) {
    const url = `${origin}/mcp?${query}`;
    assert.equal((await fetch(url, { method: 'POST', body: JSON.stringify(LIST), headers })).status, 401);
  }
  assert.equal((await post(LIST, ada, { 'x-api-key': eve })).status, 400);
  const { connect } = await import('node:net');
  const socket = connect(Number(new URL(origin).port), '127.0.0.1');
  const lines = ['POST /mcp HTTP/1.1', 'Host: localhost', 'Content-Length: 0', 'Connection: close'];
  socket.write(
    `${[...lines, `Authorization: Bearer ${ada}`, `authorization: Bearer ${eve}`].join('\r\n')}\r\n\r\n`,
  );
  const [answer] = (await once(socket, 'data')) as [Buffer];
  assert.match(answer.toString(), /^HTTP\/1\.1 400/);
});

test('WebSockets and legacy streams ask who is there before they open', async (t) => {
  const { ada, get, origin } = await startGuarded(t);
  const open = (key: string | null) =>
    new Promise<boolean>((resolve) => {
      const headers = key === null ? {} : { authorization: `Bearer ${key}` };
      const socket = new WebSocket(`${origin.replace('http', 'ws')}/ws`, {
        protocols: ['mcp'],
        headers,
      } as never);
      socket.onopen = () => {
        socket.close();
        resolve(true);
      };
      socket.onerror = () => resolve(false);
    });
  assert.equal(await open(null), false);
  assert.equal(await open(`${ada}x`), false);
  assert.equal(await open(ada), true);
  const refused = await get('/sse', null);
  assert.equal(refused.status, 401);
  assert.equal(refused.headers.get('www-authenticate'), 'Bearer realm="witbox"');
});
