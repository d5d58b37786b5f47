import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFixtureCatalog } from '../../test/mcp/fixture/catalog.ts';
import { define, text } from '../../test/mcp/fixture/define.ts';
import { ANYBODY } from '../core/caller.ts';
import { createLogger } from '../core/log.ts';
import { createServer } from '../server/server.ts';
import { readMessage } from './envelope.ts';
import { createProtocol } from './protocol.ts';
import { pipeRoute } from './route.ts';

interface Answer {
  id: number;
  result?: { content?: unknown };
  error?: { code: number; message: string };
}

function start(...tools: Parameters<typeof createFixtureCatalog>[0] & object) {
  const logs: string[] = [];
  const log = createLogger({ write: (line) => logs.push(line) });
  const server = createServer(createFixtureCatalog(tools), { info: { name: 't', version: '1' } });
  const connection = createProtocol(server, log).connect({ transport: 'test', caller: ANYBODY });
  const call = (name: string): Promise<Answer> =>
    new Promise((resolve) => {
      const message = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name } });
      connection.receive(
        readMessage(message),
        pipeRoute((answer) => resolve(JSON.parse(answer) as Answer)),
      );
    });
  return { call, logs, connection };
}

test('an outcome that is not JSON is an internal error of that call alone', async () => {
  const cycle: Record<string, unknown> = {};
  cycle.self = cycle;
  const { call, logs } = start(
    define('cyclic', 'x', () => text('x', { meta: cycle as never })),
    define('big', 'x', () => text('x', { meta: { big: 1n } as never })),
  );
  for (const name of ['cyclic', 'big']) assert.equal((await call(name)).error?.message, 'Internal error');
  assert.equal(logs.filter((line) => line.includes('internal error')).length, 2);
  assert.ok((await call('test_simple_text')).result);
});

test('errors thrown at once, by a promise, or of any type are told the same way', async () => {
  const { call } = start(
    define('sync', 'x', () => {
      throw new TypeError('private');
    }),
    define('text', 'x', () => Promise.reject('private')),
    define('nothing', 'x', () => Promise.reject()),
  );
  for (const name of ['sync', 'text', 'nothing']) {
    const { error } = await call(name);
    assert.deepEqual([error?.code, error?.message], [-32603, 'Internal error']);
  }
});

test('closing cancels what is in flight and sends nothing more', async () => {
  let aborted = false;
  const { connection } = start(
    define('stuck', 'x', (_, { signal, progress }) => {
      return new Promise(() => {
        signal.addEventListener('abort', () => {
          aborted = true;
          progress(1);
        });
      });
    }),
  );
  const sent: string[] = [];
  const message = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'stuck', _meta: { progressToken: 1 } },
  };
  connection.receive(
    readMessage(JSON.stringify(message)),
    pipeRoute((one) => sent.push(one)),
  );
  await new Promise(setImmediate);
  connection.close('test');
  assert.ok(aborted);
  assert.deepEqual(sent, []);
});

test('a cancelled request is over at once, even if its work goes on', async () => {
  const { connection } = start(define('deaf', 'x', () => new Promise(() => {})));
  const { promise, resolve } = Promise.withResolvers<string>();
  const route = {
    send() {},
    end: () => resolve('answered'),
    skip: () => resolve('skipped'),
    closeStream() {},
  };
  const message = { jsonrpc: '2.0', id: 'd', method: 'tools/call', params: { name: 'deaf' } };
  connection.receive(readMessage(JSON.stringify(message)), route);
  const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'd' } };
  connection.receive(
    readMessage(JSON.stringify(cancel)),
    pipeRoute(() => {}),
  );
  assert.equal(await promise, 'skipped');
  assert.equal(connection.inFlight, 0);
});

test('a guest cannot flood its client with notifications', async () => {
  const { connection } = start(
    define('flood', 'x', (_, { progress, log }) => {
      for (let at = 1; at < 10_000; at += 1) {
        progress(at);
        log('error', at);
      }
      return text('done');
    }),
  );
  const sent: string[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  const message = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'flood', _meta: { progressToken: 1 } },
  };
  const route = { ...pipeRoute((one) => sent.push(one)), end: () => resolve() };
  connection.receive(readMessage(JSON.stringify(message)), route);
  await promise;
  assert.ok(sent.length >= 200 && sent.length < 1_000, `${sent.length}`);
});

test('notices go by what the last message proved, not by what the first one did', async () => {
  const catalog = createFixtureCatalog();
  const server = createServer(
    { ...catalog, sees: ({ scopes }) => scopes.includes('tools') },
    { info: { name: 't', version: '1' } },
  );
  const log = createLogger({ levels: 'silent', write() {} });
  const caller = { ...ANYBODY, scopes: ['tools'] };
  const notices: string[] = [];
  const send = (text: string) => notices.push(text);
  const connection = createProtocol(server, log).connect({ transport: 'test', caller, send });
  const route = pipeRoute(() => {});
  const say = (message: object, by: typeof ANYBODY) =>
    connection.receive(readMessage(JSON.stringify({ jsonrpc: '2.0', ...message })), route, by);
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 't', version: '1' } };
  say({ id: 1, method: 'initialize', params }, caller);
  say({ method: 'notifications/initialized' }, caller);
  const changed = async (): Promise<number> => {
    catalog.change({ kind: 'tools' });
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    return notices.length;
  };
  assert.equal(await changed(), 1);
  say({ id: 2, method: 'ping' }, ANYBODY);
  assert.equal(await changed(), 1);
  say({ id: 3, method: 'ping' }, caller);
  assert.equal(await changed(), 2);
  server.close();
});
