import assert from 'node:assert/strict';
import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { type TestContext, test } from 'node:test';
import { hostWith, type TestHost } from '../../../test/support/host.ts';
import type { WireValue } from '../../core/port.ts';

const LOOPBACK = '{network: {allow: [{host: "api.test"}, {cidr: 127.0.0.0/8}]}}';

async function serve(t: TestContext, listener: RequestListener): Promise<number> {
  const server: Server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

const resolve = async (): Promise<string[]> => ['127.0.0.1'];

interface Asked {
  readonly method?: string;
  readonly scheme?: string;
  readonly path?: string;
  readonly headers?: [string, Uint8Array][];
  readonly timeouts?: (number | null)[];
}

const start = (host: TestHost, id: number, authority: string, asked: Asked = {}): Promise<WireValue> =>
  host.ask(
    'http.start',
    id,
    [asked.method ?? 'GET', asked.scheme ?? 'http', authority, asked.path ?? '/', asked.headers ?? []],
    asked.timeouts ?? [null, null, null],
  );

async function body(host: TestHost, id: number): Promise<string> {
  let text = '';
  for (;;) {
    const chunk = await host.ask('http.read', id, 1 << 16);
    if (!(chunk instanceof Uint8Array)) return `${text}${String(chunk)}`;
    if (chunk.byteLength === 0) return text;
    text += Buffer.from(chunk).toString();
  }
}

test('a GET is sent to the checked address with the host that was asked for', async (t) => {
  const port = await serve(t, (request, response) => {
    response.setHeader('x-echo', ['1', '2']);
    response.end(JSON.stringify([request.method, request.url, request.headers.host, request.headers.accept]));
  });
  const host = hostWith(t, LOOPBACK, { resolve });
  const headers: [string, Uint8Array][] = [['Accept', Buffer.from('text/x')]];
  assert.equal(await start(host, 2, `api.test:${port}`, { path: '/a?b=c', headers }), null);
  assert.equal(await host.ask('http.finish', 2, null), null);
  const [status, rows] = (await host.ask('http.response', 2)) as [number, [string, Uint8Array][]];
  assert.equal(status, 200);
  assert.deepEqual(
    rows.filter(([name]) => name === 'x-echo').map(([, value]) => Buffer.from(value).toString()),
    ['1', '2'],
  );
  assert.deepEqual(JSON.parse(await body(host, 2)), ['GET', '/a?b=c', `api.test:${port}`, 'text/x']);
});

test('bodies stream both ways, with trailers both ways', async (t) => {
  const port = await serve(t, (request, response) => {
    response.writeHead(200, { trailer: 'x-sum' });
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.byteLength;
      response.write(chunk);
    });
    request.on('end', () => {
      response.addTrailers({ 'x-sum': `${size}`, 'x-had': String(request.trailers['x-end']) });
      response.end();
    });
  });
  const host = hostWith(t, LOOPBACK, { resolve });
  await start(host, 2, `api.test:${port}`, { method: 'POST', headers: [['Trailer', Buffer.from('x-end')]] });
  const chunk = Buffer.alloc(1 << 16, 97);
  const reading = body(host, 2);
  for (let i = 0; i < 32; i++) assert.equal(await host.ask('http.write', 2, chunk), null);
  await host.ask('http.finish', 2, [['x-end', Buffer.from('yes')]]);
  assert.equal((await reading).length, 32 << 16);
  const trailers = (await host.ask('http.trailers', 2)) as [string, Uint8Array][];
  assert.deepEqual(
    trailers.map(([name, value]) => [name, Buffer.from(value).toString()]),
    [
      ['x-sum', String(32 << 16)],
      ['x-had', 'yes'],
    ],
  );
});

test('a host without a grant is refused before anything is resolved or sent', async (t) => {
  const names: string[] = [];
  const host = hostWith(t, '{network: {allow: [{host: "other.test"}]}}', {
    resolve: async (name) => {
      names.push(name);
      return ['127.0.0.1'];
    },
  });
  await start(host, 2, 'api.test');
  assert.equal(await host.ask('http.response', 2), '!HTTP-request-denied');
  assert.deepEqual(names, []);
  assert.deepEqual(host.denials(), [{ permission: 'network:api.test', reason: 'Host not in allowlist' }]);
});

test('a granted name that resolves to a private address is refused', async (t) => {
  const host = hostWith(t, '{network: {allow: [{host: "api.test"}]}}', { resolve: async () => ['10.1.2.3'] });
  await start(host, 2, 'api.test');
  assert.equal(await host.ask('http.response', 2), '!destination-IP-prohibited');
  assert.match(host.denials()[0]!.reason, /10\.1\.2\.3 is private/);
});

test('connections are kept for the next request to the same checked address', async (t) => {
  const sockets = new Set<unknown>();
  const port = await serve(t, (request, response) => {
    sockets.add(request.socket);
    response.end('x');
  });
  const host = hostWith(t, LOOPBACK, { resolve });
  for (const id of [2, 4, 6]) {
    await start(host, id, `api.test:${port}`);
    await host.ask('http.finish', id, null);
    await host.ask('http.response', id);
    assert.equal(await body(host, id), 'x');
    await host.ask('drop', id);
  }
  assert.equal(sockets.size, 1);
});

test('redirects are handed to the guest, never followed', async (t) => {
  let requests = 0;
  const port = await serve(t, (_, response) => {
    requests++;
    response.writeHead(302, { location: 'http://169.254.169.254/' }).end();
  });
  const host = hostWith(t, LOOPBACK, { resolve });
  await start(host, 2, `api.test:${port}`);
  await host.ask('http.finish', 2, null);
  const [status] = (await host.ask('http.response', 2)) as [number];
  assert.deepEqual([status, requests], [302, 1]);
});

test('a declared content length is kept to the byte', async (t) => {
  const port = await serve(
    t,
    (request, response) => void request.resume().on('end', () => response.end('ok')),
  );
  const host = hostWith(t, LOOPBACK, { resolve });
  const headers: [string, Uint8Array][] = [['content-length', Buffer.from('3')]];
  await start(host, 2, `api.test:${port}`, { method: 'POST', headers });
  assert.equal(await host.ask('http.write', 2, Buffer.from('1234')), '!HTTP-request-body-size');
  await start(host, 4, `api.test:${port}`, { method: 'POST', headers });
  await host.ask('http.write', 4, Buffer.from('12'));
  assert.equal(await host.ask('http.finish', 4, null), '!HTTP-request-body-size');
});

test('failures have the names of wasi:http', async (t) => {
  const silent = await serve(t, () => {});
  const broken = createTcpServer((socket) => socket.end('not http\r\n\r\n'));
  await new Promise<void>((done) => broken.listen(0, '127.0.0.1', done));
  t.after(() => broken.close());
  const cut = await serve(t, (_, response) => {
    response.writeHead(200, { 'content-length': '10' });
    response.write('12345', () => response.destroy());
  });
  const free = await serve(t, () => {});
  const host = hostWith(
    t,
    '{network: {allow: [{host: "api.test"}, {host: "gone.test"}, {cidr: 127.0.0.0/8}]}}',
    {
      resolve: async (name) => {
        if (name === 'gone.test') throw Object.assign(new Error('secret detail'), { code: 'ENOTFOUND' });
        return ['127.0.0.1'];
      },
    },
  );
  const outcome = async (id: number, authority: string, asked?: Asked): Promise<WireValue> => {
    const started = await start(host, id, authority, asked);
    if (started !== null) return started;
    await host.ask('http.finish', id, null);
    const response = await host.ask('http.response', id);
    return typeof response === 'string' ? response : body(host, id);
  };
  assert.equal(
    await outcome(2, `api.test:${silent}`, { timeouts: [null, 30, null] }),
    '!HTTP-response-timeout',
  );
  assert.equal(
    await outcome(4, `api.test:${(broken.address() as AddressInfo).port}`),
    '!HTTP-protocol-error',
  );
  assert.equal(await outcome(6, `api.test:${cut}`), '12345!HTTP-response-incomplete');
  assert.equal(await outcome(8, 'gone.test'), '!DNS-error');
  assert.equal(await outcome(10, `api.test:${silent}`, { scheme: 'https' }), '!TLS-protocol-error');
  assert.equal(await outcome(12, 'api.test:1', { timeouts: [2000, null, null] }), '!connection-refused');
  assert.ok(free > 0);
});

test('a response larger than the limit ends with an error', async (t) => {
  const port = await serve(t, (_, response) => void response.end(Buffer.alloc(100_000)));
  const host = hostWith(t, LOOPBACK, { resolve, limits: { responseBodyBytes: 50_000 } });
  await start(host, 2, `api.test:${port}`);
  await host.ask('http.finish', 2, null);
  assert.match(await body(host, 2), /!HTTP-response-body-size$/);
});
