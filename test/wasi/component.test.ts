import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net';
import { type TestContext, test } from 'node:test';
import { directoryGrant, hostWith, temporaryDirectory } from '../support/host.ts';
import { type FetchResponse, netGuest } from '../support/net-guest.ts';

const LOOPBACK = '{network: {allow: [{host: "api.test"}, {cidr: 127.0.0.0/8}]}}';
const resolve = async (): Promise<string[]> => ['127.0.0.1'];

async function listen(t: TestContext, server: Server): Promise<number> {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  t.after(() => server.close());
  return (server.address() as AddressInfo).port;
}

async function serve(t: TestContext, listener: RequestListener): Promise<number> {
  const server = createServer(listener);
  t.after(() => server.closeAllConnections());
  return listen(t, server);
}

function responded(outcome: FetchResponse | string): FetchResponse {
  assert.ok(typeof outcome !== 'string', `failed: ${String(outcome)}`);
  return outcome;
}

test('streams, splicing and identity of files work as the interfaces say', async (t) => {
  const host = hostWith(t, directoryGrant(temporaryDirectory(t)));
  assert.equal(await (await netGuest(host)).streams(), undefined);
});

test('a GET gives status, headers and body', async (t) => {
  const port = await serve(t, (request, response) => {
    response.setHeader('X-Seen', `${request.method} ${request.url} ${request.headers['x-ask']}`);
    response.end('body');
  });
  const guest = await netGuest(hostWith(t, LOOPBACK, { resolve }));
  const headers = [['x-ask', 'yes']] as const;
  const response = responded(await guest.fetch({ authority: `api.test:${port}`, path: '/p?q', headers }));
  assert.equal(response.status, 200);
  assert.deepEqual(
    response.headers.find(([name]) => name.toLowerCase() === 'x-seen'),
    ['X-Seen', 'GET /p?q yes'],
  );
  assert.equal(Buffer.from(response.body).toString(), 'body');
});

test('a request without a body is sent without one, whether or not the guest asked for its stream', async (t) => {
  const port = await serve(t, (request, response) => {
    const { 'transfer-encoding': coding, 'content-length': length } = request.headers;
    response.end(`${request.method} ${coding} ${length}`);
  });
  const guest = await netGuest(hostWith(t, LOOPBACK, { resolve }));
  const seen = async (method: string): Promise<string> =>
    Buffer.from(responded(await guest.fetch({ method, authority: `api.test:${port}` })).body).toString();
  assert.equal(await seen('GET'), 'GET undefined undefined');
  assert.equal(await seen('POST'), 'POST undefined 0');
});

test('a body is streamed there and back, with trailers', async (t) => {
  const port = await serve(t, (request, response) => {
    response.writeHead(200, { trailer: 'x-had' });
    request.on('data', (chunk: Buffer) => response.write(chunk));
    request.on('end', () => {
      response.addTrailers({ 'x-had': String(request.trailers['x-end']) });
      response.end();
    });
  });
  const guest = await netGuest(hostWith(t, LOOPBACK, { resolve }));
  const response = responded(
    await guest.fetch({
      method: 'POST',
      authority: `api.test:${port}`,
      headers: [['trailer', 'x-end']],
      chunks: 4,
      // An echo server stops reading when nobody reads it: what it may hold back must fit its buffers.
      chunkSize: 30_000,
      trailer: true,
    }),
  );
  assert.equal(response.body.byteLength, 120_000);
  assert.deepEqual(response.trailers, [['x-had', 'yes']]);
});

test('a large upload is taken at the pace of the server', async (t) => {
  const port = await serve(t, (request, response) => {
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.byteLength;
    });
    request.on('end', () => response.end(String(size)));
  });
  const guest = await netGuest(hostWith(t, LOOPBACK, { resolve }));
  const response = responded(
    await guest.fetch({ method: 'POST', authority: `api.test:${port}`, chunks: 8, chunkSize: 1 << 20 }),
  );
  assert.equal(Buffer.from(response.body).toString(), String(8 << 20));
});

test('HTTP failures arrive as error codes', async (t) => {
  const silent = await serve(t, () => {});
  const guest = await netGuest(hostWith(t, LOOPBACK, { resolve }));
  const failed = async (authority: string, firstByteMs?: number): Promise<unknown> =>
    guest.fetch(firstByteMs === undefined ? { authority } : { authority, firstByteMs });
  assert.match(String(await failed(`api.test:${silent}`, 30)), /HttpResponseTimeout/);
  assert.match(String(await failed('api.test:1')), /ConnectionRefused/);
  assert.match(String(await failed('other.test')), /HttpRequestDenied/);
});

test('std::net connects over TCP by granted name and by address', async (t) => {
  const port = await listen(
    t,
    createTcpServer({ allowHalfOpen: true }, (socket) => socket.pipe(socket)),
  );
  const host = hostWith(t, `{network: {allow: [{host: "echo.localhost:${port}"}]}}`, { resolve });
  const guest = await netGuest(host);
  assert.equal(await guest.tcp('127.0.0.1', port, 'no'), '!PermissionDenied');
  assert.equal(await guest.tcp('echo.localhost', port, 'hello'), 'hello');
  assert.equal(await guest.tcp('127.0.0.1', port, 'again'), 'again');
  assert.match(await guest.listen().then(String), /!PermissionDenied|!Unsupported/);
});

test('std::net sends and receives datagrams', async (t) => {
  const peer = createSocket('udp4');
  await new Promise<void>((done) => peer.bind(0, '127.0.0.1', done));
  t.after(() => peer.close());
  peer.on('message', (data, from) => peer.send(`re:${data}`, from.port, from.address));
  const { port } = peer.address();
  const guest = await netGuest(hostWith(t, `{network: {allow: [{host: "127.0.0.1:${port}"}]}}`));
  assert.equal(await guest.udp('127.0.0.1', port, 'hi'), 're:hi');
  assert.equal(await guest.udp('127.0.0.1', port === 9 ? 10 : 9, 'hi'), '!PermissionDenied');
});

test('configuration and buckets are there where granted', async (t) => {
  const guest = await netGuest(
    hostWith(t, '{config: {allow: [{key: url}]}, keyvalue: {allow: [{bucket: notes}]}}', {
      config: { url: 'https://x', token: 'secret' },
      keyvalueDir: temporaryDirectory(t),
    }),
  );
  assert.equal(await guest.config('url'), 'https://x');
  assert.equal(await guest.config('token'), undefined);
  assert.equal(await guest.keyvalue('notes'), 'hello 5 [Some(("b", [2])), None] ["count", "greeting"] false');
  assert.match(await guest.keyvalue('other'), /AccessDenied/);
});

test('waiting for a clock suspends the guest and leaves the cell free', async (t) => {
  const guest = await netGuest(hostWith(t, '{}'));
  const other = await netGuest(hostWith(t, '{}'));
  const order: string[] = [];
  const long = guest.sleep(200).then((ns) => {
    order.push('long');
    return ns;
  });
  await other.sleep(5).then(() => order.push('short'));
  assert.ok((await long) >= 200_000_000n);
  assert.deepEqual(order, ['short', 'long']);
});
