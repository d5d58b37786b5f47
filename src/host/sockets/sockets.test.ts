import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { type AddressInfo, createServer } from 'node:net';
import { type TestContext, test } from 'node:test';
import { hostWith } from '../../../test/support/host.ts';

async function echoServer(t: TestContext): Promise<number> {
  const server = createServer({ allowHalfOpen: true }, (socket) => socket.pipe(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  return (server.address() as AddressInfo).port;
}

test('TCP connects, echoes and ends', async (t) => {
  const port = await echoServer(t);
  const host = hostWith(t, `{network: {allow: [{host: "127.0.0.1:${port}", scheme: tcp}]}}`);
  const connected = await host.ask('tcp.connect', 2, '127.0.0.1', port);
  assert.ok(Array.isArray(connected));
  assert.deepEqual(connected.slice(2), ['127.0.0.1', port]);
  await host.ask('tcp.write', 2, Buffer.from('ping'));
  assert.equal(String(Buffer.from((await host.ask('tcp.read', 2, 100)) as Uint8Array)), 'ping');
  await host.ask('tcp.shutdown', 2, 'send');
  assert.equal(((await host.ask('tcp.read', 2, 100)) as Uint8Array).byteLength, 0);
});

test('TCP to an address without a grant is denied, and a closed port refuses', async (t) => {
  const host = hostWith(t, '{network: {allow: [{host: "127.0.0.1:1"}]}}');
  assert.equal(await host.ask('tcp.connect', 2, '127.0.0.1', 22), '!access-denied');
  assert.equal(await host.ask('tcp.connect', 4, '10.0.0.1', 1), '!access-denied');
  assert.equal(await host.ask('tcp.connect', 6, 'localhost', 1), '!invalid-argument');
  assert.equal(await host.ask('tcp.connect', 8, '127.0.0.1', 1), '!connection-refused');
  assert.equal(host.denials()[0]?.permission, 'network:127.0.0.1:22');
});

test('a name that was looked up opens exactly its addresses', async (t) => {
  const port = await echoServer(t);
  const host = hostWith(t, '{network: {allow: [{host: "db.localhost"}]}}', {
    resolve: async () => ['127.0.0.1'],
  });
  assert.equal(await host.ask('tcp.connect', 2, '127.0.0.1', port), '!access-denied');
  assert.equal(await host.ask('net.resolve', 'other.test'), '!access-denied');
  assert.deepEqual(await host.ask('net.resolve', 'DB.localhost'), ['127.0.0.1']);
  assert.ok(Array.isArray(await host.ask('tcp.connect', 4, '127.0.0.1', port)));
  assert.equal(await host.ask('tcp.connect', 6, '127.0.0.2', port), '!access-denied');
});

test('UDP sends to granted peers and hears only those', async (t) => {
  const peer = createSocket('udp4');
  const stranger = createSocket('udp4');
  await new Promise<void>((resolve) => peer.bind(0, '127.0.0.1', resolve));
  t.after(() => {
    peer.close();
    stranger.close();
  });
  const { port } = peer.address();
  const host = hostWith(t, `{network: {allow: [{host: "127.0.0.1:${port}", scheme: udp}]}}`);
  const [, ownPort] = (await host.ask('udp.open', 2, 4)) as [string, number];
  await new Promise((resolve) => stranger.send('boo', ownPort, '127.0.0.1', resolve));
  peer.on('message', (data, from) => peer.send(`re:${data}`, from.port, from.address));
  assert.equal(await host.ask('udp.send', 2, [[Buffer.from('hi'), '127.0.0.1', port]]), 1);
  const rows = (await host.ask('udp.receive', 2, 10)) as [Uint8Array, string, number][];
  assert.deepEqual(
    rows.map(([data, , from]) => [String(Buffer.from(data)), from]),
    [['re:hi', port]],
  );
  assert.equal(await host.ask('udp.send', 2, [[Buffer.from('x'), '127.0.0.1', 1]]), '!access-denied');
});
