import assert from 'node:assert/strict';
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { connect, createServer } from 'node:tls';
import { makeSelfSigned } from './self-signed.ts';

const NAMES = ['localhost', 'box.example', '127.0.0.1', '::1', 'fd00::1:2', '1:2:3:4:5:6:7:8'];

test('a self-signed certificate has its names, belongs to its key, and is no authority', () => {
  const { certificate, key } = makeSelfSigned(NAMES, new Date());
  const parsed = new X509Certificate(certificate);
  assert.equal(parsed.ca, false);
  assert.ok(parsed.verify(parsed.publicKey));
  assert.ok(parsed.checkPrivateKey(createPrivateKey(key)));
  for (const name of ['localhost', 'box.example']) assert.equal(parsed.checkHost(name), name);
  for (const address of ['127.0.0.1', '::1', 'fd00::1:2', '1:2:3:4:5:6:7:8'])
    assert.equal(parsed.checkIP(address), address);
  assert.equal(parsed.checkHost('other.example'), undefined);
  const days = (parsed.validToDate.getTime() - Date.now()) / 86_400_000;
  assert.ok(days > 364 && days < 366);
  assert.deepEqual(parsed.keyUsage, ['1.3.6.1.5.5.7.3.1']);
});

test('a client that trusts the certificate, and only it, connects', async () => {
  const { certificate, key } = makeSelfSigned(NAMES, new Date());
  const server = createServer({ cert: certificate, key }, (socket) => socket.end('hello'));
  server.on('tlsClientError', () => {});
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  try {
    const trusting = connect({ port, host: '127.0.0.1', ca: certificate });
    await once(trusting, 'secureConnect');
    assert.equal(trusting.authorized, true);
    trusting.destroy();
    const other = makeSelfSigned(NAMES, new Date()).certificate;
    const doubting = connect({ port, host: '127.0.0.1', ca: other });
    await assert.rejects(once(doubting, 'secureConnect'));
  } finally {
    server.close();
  }
});

test('no two certificates are alike', () => {
  const [one, other] = [0, 1].map(() => new X509Certificate(makeSelfSigned(NAMES, new Date()).certificate));
  assert.notEqual(one?.serialNumber, other?.serialNumber);
});
