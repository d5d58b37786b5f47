import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { exchangeHttp } from './http.ts';

/** Answers with these statuses, one after the other, then with 200. */
async function answering(t: TestContext, statuses: readonly number[], retryAfter: string | null) {
  let asked = 0;
  const server = createServer((_, response) => {
    const status = statuses[asked++] ?? 200;
    response.writeHead(status, retryAfter === null ? {} : { 'retry-after': retryAfter }).end('{}');
  }).listen(0, '127.0.0.1');
  t.after(() => server.close());
  await once(server, 'listening');
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`);
  const call = { method: 'POST', url, headers: {}, body: '{}', milliseconds: 5_000 };
  return { call, asked: () => asked };
}

test('a server that has had enough is asked again after the time that it names', async (t) => {
  const { call, asked } = await answering(t, [429, 429], '0');
  assert.equal((await exchangeHttp(call)).status, 200);
  assert.equal(asked(), 3);
});

test('429 is the answer where limits are looked at, where no time is named, and where it does not end', async (t) => {
  const looked = await answering(t, [429], '0');
  assert.equal((await exchangeHttp({ ...looked.call, impatient: true })).status, 429);
  const unnamed = await answering(t, [429], null);
  assert.equal((await exchangeHttp(unnamed.call)).status, 429);
  const long = await answering(t, [429], '3600');
  assert.equal((await exchangeHttp(long.call)).status, 429);
  const endless = await answering(t, Array(100).fill(429), '0');
  assert.equal((await exchangeHttp(endless.call)).status, 429);
  assert.equal(endless.asked(), 5);
});
