import assert from 'node:assert/strict';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net';
import { type TestContext, test } from 'node:test';
import type { WireValue } from '../../src/core/port.ts';
import { hostWith, type TestHost } from '../support/host.ts';
import { netGuest } from '../support/net-guest.ts';

const NAMES = '{network: {allow: [{host: "api.test"}]}}';

async function listen(t: TestContext, server: Server, address = '127.0.0.1'): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, address, resolve));
  t.after(() => server.close());
  return (server.address() as AddressInfo).port;
}

/** A server that nobody may reach; how often it was reached anyway. */
async function forbidden(t: TestContext): Promise<{ port: number; hits: () => number }> {
  let hits = 0;
  const server = createTcpServer((socket) => {
    hits++;
    socket.destroy();
  });
  return { port: await listen(t, server), hits: () => hits };
}

async function serve(t: TestContext, listener: RequestListener): Promise<number> {
  const server = createServer(listener);
  t.after(() => server.closeAllConnections());
  return listen(t, server);
}

/** As a cell that was taken over would ask, past every check of the guest's own side. */
async function raw(host: TestHost, id: number, head: readonly WireValue[]): Promise<WireValue> {
  const started = await host.ask('http.start', id, head, [null, null, null]);
  if (started !== null) return started;
  void host.ask('http.finish', id, null);
  const answer = await host.ask('http.response', id);
  await host.ask('drop', id);
  return answer;
}

const FORMS_OF_LOOPBACK = [
  '127.0.0.1',
  '127.1',
  '2130706433',
  '0x7f000001',
  '0x7f.0.0.1',
  '0177.0.0.1',
  '017700000001',
  '127.0.0.1.',
  '0',
  '0.0.0.0',
  '[::1]',
  '[::]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[64:ff9b::7f00:1]',
  '[2002:7f00:1::]',
  'localhost',
  'LOCALHOST.',
  'a.localhost',
];

test('no spelling of a loopback address reaches the machine under a grant for everything', async (t) => {
  const { port, hits } = await forbidden(t);
  const host = hostWith(t, '{network: {allow: [{host: "*"}]}}', {
    resolve: async () => ['127.0.0.1', '::1'],
  });
  const guest = await netGuest(host);
  for (const form of FORMS_OF_LOOPBACK) {
    const outcome = String(await guest.fetch({ authority: `${form}:${port}` }));
    assert.match(outcome, /HttpRequestDenied|DestinationIpProhibited|UriInvalid|authority/, form);
  }
  assert.equal(hits(), 0);
});

test('cloud metadata and private ranges need a grant of their own', async (t) => {
  const host = hostWith(t, '{network: {allow: [{host: "*"}]}}');
  const guest = await netGuest(host);
  for (const address of [
    '169.254.169.254',
    '10.0.0.1',
    '192.168.1.1',
    '172.16.0.1',
    '100.64.0.1',
    '[fe80::1]',
    '[fd00::1]',
  ]) {
    assert.match(String(await guest.fetch({ authority: address })), /HttpRequestDenied/, address);
  }
  assert.ok(host.denials().length >= 7);
});

test('a name is checked again by its addresses: a public name for a private address is refused', async (t) => {
  const { port, hits } = await forbidden(t);
  for (const address of [
    '127.0.0.1',
    '::1',
    '::ffff:127.0.0.1',
    '10.0.0.1',
    '169.254.169.254',
    'fe80::1',
    '0.0.0.0',
  ]) {
    const guest = await netGuest(hostWith(t, NAMES, { resolve: async () => [address] }));
    assert.match(
      String(await guest.fetch({ authority: `api.test:${port}` })),
      /DestinationIpProhibited/,
      address,
    );
  }
  assert.equal(hits(), 0);
});

test('DNS answers that change between check and connection change nothing', async (t) => {
  const { port, hits } = await forbidden(t);
  let asked = 0;
  // Public on the first question, loopback on all others: a client that resolves twice would connect to itself.
  const resolve = async (): Promise<string[]> => (asked++ === 0 ? ['192.0.2.1'] : ['127.0.0.1']);
  const host = hostWith(t, '{network: {allow: [{host: "api.test"}, {cidr: 192.0.2.0/24}]}}', {
    resolve,
    limits: { connectMs: 200 },
  });
  const guest = await netGuest(host);
  assert.match(String(await guest.fetch({ authority: `api.test:${port}` })), /Connection|Unroutable/);
  assert.equal(asked, 1);
  assert.match(String(await guest.fetch({ authority: `api.test:${port}` })), /DestinationIpProhibited/);
  assert.equal(hits(), 0);
});

test('of several addresses only the allowed ones are ever tried', async (t) => {
  const { port, hits } = await forbidden(t);
  const host = hostWith(t, '{network: {allow: [{host: "api.test"}, {cidr: 192.0.2.0/24}]}}', {
    resolve: async () => ['127.0.0.1', '192.0.2.1', '::1'],
    limits: { connectMs: 200 },
  });
  const guest = await netGuest(host);
  assert.match(String(await guest.fetch({ authority: `api.test:${port}` })), /Connection|Unroutable/);
  assert.equal(hits(), 0);
});

test('a connection kept open is not used for an address that the new check did not choose', async (t) => {
  const seen: string[] = [];
  const port = await serve(t, (request, response) => {
    seen.push(String(request.headers.host));
    response.end('x');
  });
  let address = '127.0.0.1';
  const host = hostWith(t, '{network: {allow: [{host: "api.test"}, {cidr: 127.0.0.1/32}]}}', {
    resolve: async () => [address],
  });
  const guest = await netGuest(host);
  assert.equal(typeof (await guest.fetch({ authority: `api.test:${port}` })), 'object');
  address = '127.0.0.9';
  assert.match(String(await guest.fetch({ authority: `api.test:${port}` })), /DestinationIpProhibited/);
  assert.equal(seen.length, 1);
});

test('a redirect to a forbidden place goes nowhere by itself, and is refused when the guest follows it', async (t) => {
  const { port: inner, hits } = await forbidden(t);
  const port = await serve(t, (_, response) => {
    response.writeHead(307, { location: `http://127.0.0.1:${inner}/` }).end();
  });
  const host = hostWith(t, `{network: {allow: [{host: "localhost:${port}"}]}}`, {
    resolve: async () => ['127.0.0.1'],
  });
  const guest = await netGuest(host);
  const response = await guest.fetch({ authority: `localhost:${port}` });
  assert.ok(typeof response === 'object' && response.status === 307);
  assert.match(String(await guest.fetch({ authority: `127.0.0.1:${inner}` })), /HttpRequestDenied/);
  assert.equal(hits(), 0);
});

test('a port or scheme beside the granted one is refused', async (t) => {
  const { port, hits } = await forbidden(t);
  const host = hostWith(
    t,
    `{network: {allow: [{host: "localhost:${port + 1}"}, {host: "https://localhost:${port}"}]}}`,
    {
      resolve: async () => ['127.0.0.1'],
    },
  );
  const guest = await netGuest(host);
  assert.match(String(await guest.fetch({ authority: `localhost:${port}` })), /HttpRequestDenied/);
  assert.equal(await guest.tcp('127.0.0.1', port, 'x'), '!PermissionDenied');
  assert.equal(hits(), 0);
});

test('headers cannot be injected by names or values', async (t) => {
  const guest = await netGuest(hostWith(t, NAMES));
  for (const header of [
    ['x', 'a\r\nevil: 1'],
    ['x', 'a\nevil: 1'],
    ['x', 'a\0b'],
    ['x\r\nevil', '1'],
    ['x y', '1'],
    ['x:', '1'],
    ['', '1'],
  ] as const) {
    const outcome = await guest.fetch({ authority: 'api.test', headers: [header] });
    assert.match(String(outcome), /InvalidSyntax/, JSON.stringify(header));
  }
});

test('headers of the connection are not the guest’s to set', async (t) => {
  const guest = await netGuest(hostWith(t, NAMES));
  for (const name of [
    'Host',
    'connection',
    'TRANSFER-ENCODING',
    'Upgrade',
    'TE',
    'Keep-Alive',
    'Proxy-Authorization',
  ]) {
    const outcome = await guest.fetch({ authority: 'api.test', headers: [[name, 'x']] });
    assert.match(String(outcome), /Forbidden/, name);
  }
});

test('method, path and authority cannot smuggle a second request', async (t) => {
  const guest = await netGuest(hostWith(t, NAMES));
  for (const method of ['GET / HTTP/1.1\r\nx:', 'G T', '', 'GET\0', 'GET\n']) {
    assert.equal(await guest.fetch({ method, authority: 'api.test' }), '!method', JSON.stringify(method));
  }
  for (const path of ['/ HTTP/1.1\r\nHost: evil\r\n\r\nGET /', '/a b', '/a\nb', '/\0', '/#x', '/é']) {
    assert.equal(await guest.fetch({ path, authority: 'api.test' }), '!path', JSON.stringify(path));
  }
  for (const authority of [
    'user@api.test',
    'api.test@evil.test',
    'evil.test/api.test',
    'evil.test#api.test',
    'evil.test?api.test',
    'api.test:80:90',
    'api.test ',
    'a\\b',
    '',
  ]) {
    assert.equal(await guest.fetch({ authority }), '!authority', JSON.stringify(authority));
  }
});

test('the broker refuses the same from a cell that skips the checks', async (t) => {
  const { port, hits } = await forbidden(t);
  const host = hostWith(t, `{network: {allow: [{host: "localhost:${port}"}]}}`, {
    resolve: async () => ['127.0.0.1'],
  });
  const authority = `localhost:${port}`;
  const bytes = (text: string): Uint8Array => Buffer.from(text, 'latin1');
  const heads: readonly WireValue[][] = [
    ['GET\r\n', 'http', authority, '/', []],
    ['CONNECT', 'http', authority, '/', []],
    ['GET', 'http', authority, '/ HTTP/1.1\r\n', []],
    ['GET', 'http', authority, '/\u0100', []],
    ['GET', 'http', `x@${authority}`, '/', []],
    ['GET', 'http', `http://${authority}`, '/', []],
    ['GET', 'file', authority, '/', []],
    ['GET', 'http', 'localhost:0', '/', []],
    ['GET', 'http', 'localhost:65536', '/', []],
    ['GET', 'http', authority, '/', [['a\r\nb', bytes('')]]],
    ['GET', 'http', authority, '/', [['a', bytes('x\r\ny: z')]]],
    ['GET', 'http', authority, '/', [['a', 'text']]],
    ['GET', 'http', authority, '/', [['Host', bytes('other')]]],
    ['GET', 'http', authority, '/', [['transfer-Encoding', bytes('chunked')]]],
    [
      'POST',
      'http',
      authority,
      '/',
      [
        ['content-length', bytes('1')],
        ['Content-Length', bytes('2')],
      ],
    ],
    ['POST', 'http', authority, '/', [['content-length', bytes('-1')]]],
    ['POST', 'http', authority, '/', [['content-length', bytes('0x10')]]],
    ['GET', 'http', authority, `/${'x'.repeat(20_000)}`, []],
    ['GET', 'http', authority, '/', Array.from({ length: 200 }, (_, i) => [`x${i}`, bytes('')])],
    ['GET', 'http', authority, '/', [['a', new Uint8Array(70_000).fill(97)]]],
  ];
  for (const [i, head] of heads.entries()) {
    assert.match(String(await raw(host, 2 * i + 2, head)), /^!/, JSON.stringify(head).slice(0, 80));
  }
  assert.equal(hits(), 0);
});

test('handles of one kind cannot be used as another, nor a number twice', async (t) => {
  const port = await serve(t, (_, response) => void response.end('x'));
  const host = hostWith(t, `{network: {allow: [{host: "localhost:${port}"}, {host: "127.0.0.1:${port}"}]}}`, {
    resolve: async () => ['127.0.0.1'],
  });
  const head = ['GET', 'http', `localhost:${port}`, '/', []];
  assert.equal(await host.ask('http.start', 2, head, [null, null, null]), null);
  assert.equal(await host.ask('http.start', 2, head, [null, null, null]), '!bad-descriptor');
  assert.equal(await host.ask('http.start', 3, head, [null, null, null]), '!bad-descriptor');
  assert.equal(await host.ask('tcp.read', 2, 10), '!bad-descriptor');
  assert.equal(await host.ask('fs.read', 2, 0, 10), '!bad-descriptor');
  assert.equal(await host.ask('udp.send', 2, []), '!bad-descriptor');
});

test('a server that floods, stalls or lies cannot fill the broker', async (t) => {
  const endless = await serve(t, (_, response) => {
    const more = (): void => {
      while (response.write(Buffer.alloc(65_536)));
      response.once('drain', more);
    };
    more();
  });
  const headers = await serve(t, (_, response) => {
    for (let i = 0; i < 100; i++) response.setHeader(`x-${i}`, 'y'.repeat(2000));
    response.end();
  });
  const port = await listen(
    t,
    createTcpServer(
      (socket) =>
        void socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n'),
    ),
  );
  const host = hostWith(t, '{network: {allow: [{host: "localhost"}]}}', {
    resolve: async () => ['127.0.0.1'],
    limits: { responseBodyBytes: 1 << 20 },
  });
  const guest = await netGuest(host);
  assert.match(String(await guest.fetch({ authority: `localhost:${endless}` })), /HttpResponseBodySize/);
  assert.match(String(await guest.fetch({ authority: `localhost:${headers}` })), /HeaderSectionSize/);
  assert.match(
    String(await guest.fetch({ authority: `localhost:${port}` })),
    /UpgradeFailed|ProtocolError|Terminated/,
  );
});

test('a guest can keep only so many connections', async (t) => {
  const port = await serve(t, (_, response) => void response.write('never ends'));
  const host = hostWith(t, '{network: {allow: [{host: "localhost"}]}}', {
    resolve: async () => ['127.0.0.1'],
    limits: { connections: 8 },
  });
  assert.equal(await (await netGuest(host)).flood('http', `localhost:${port}`), 8);
});

test('lookups that never answer neither pile up nor hold a guest for long', async (t) => {
  let asked = 0;
  const host = hostWith(t, NAMES, {
    resolve: () => {
      asked++;
      return new Promise(() => {});
    },
    limits: { connectMs: 100 },
  });
  const answers = await Promise.all(Array.from({ length: 50 }, () => host.ask('net.resolve', 'api.test')));
  assert.ok(answers.every((answer) => answer === '!temporary-resolver-failure'));
  assert.equal(asked, 4);
});

test('a cell that reads one connection many times at once is refused', async (t) => {
  const port = await listen(
    t,
    createTcpServer((socket) => void socket.on('error', () => {})),
  );
  const host = hostWith(t, `{network: {allow: [{host: "127.0.0.1:${port}"}]}}`);
  await host.ask('tcp.connect', 2, '127.0.0.1', port);
  const first = host.ask('tcp.read', 2, 10);
  const others = await Promise.all(Array.from({ length: 100 }, () => host.ask('tcp.read', 2, 10)));
  assert.ok(others.every((answer) => answer === '!concurrency-conflict'));
  await host.close();
  assert.equal(((await first) as Uint8Array).byteLength, 0);
});

test('names without a grant are not looked up, so nothing leaks through DNS', async (t) => {
  const asked: string[] = [];
  const host = hostWith(t, NAMES, {
    resolve: async (name) => {
      asked.push(name);
      return ['192.0.2.1'];
    },
  });
  const guest = await netGuest(host);
  assert.match(await guest.tcp('secret-data.evil.test', 80, ''), /^!/);
  assert.match(String(await guest.fetch({ authority: 'secret-data.evil.test' })), /HttpRequestDenied/);
  assert.deepEqual(asked, []);
});

test('a guest cannot listen, and hears no datagram from a stranger', async (t) => {
  const guest = await netGuest(hostWith(t, '{network: {allow: [{host: "*"}, {cidr: 127.0.0.0/8}]}}'));
  assert.equal(await guest.listen(), '!PermissionDenied');
});
