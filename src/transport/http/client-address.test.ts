import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { test } from 'node:test';
import { createPeers } from './client-address.ts';

const request = (remoteAddress: string, forwarded?: string) =>
  ({
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
    socket: { remoteAddress },
  }) as unknown as IncomingMessage;

test('without proxies that are believed, the socket alone says where a request came from', () => {
  const peers = createPeers([]);
  assert.deepEqual(peers.of(request('192.0.2.1', '198.51.100.1')), { address: '192.0.2.1', isNear: false });
  assert.deepEqual(peers.of(request('::ffff:192.0.2.1')), { address: '192.0.2.1', isNear: false });
  assert.deepEqual(peers.of(request('127.0.0.1', '198.51.100.1')), { address: '127.0.0.1', isNear: true });
  assert.deepEqual(peers.of(request('::1')), { address: '::1', isNear: true });
});

test('a proxy that is believed says who is behind it, and strangers behind it cannot say more', () => {
  const peers = createPeers(['10.0.0.0/8', 'fd00::/8', '::1']);
  const from = (socket: string, forwarded?: string) => peers.of(request(socket, forwarded)).address;
  assert.equal(from('10.0.0.1', '198.51.100.1'), '198.51.100.1');
  assert.equal(from('::ffff:10.0.0.1', '198.51.100.1'), '198.51.100.1');
  assert.equal(from('10.0.0.1', '127.0.0.1, 203.0.113.9, 198.51.100.1'), '198.51.100.1', 'from the right');
  assert.equal(from('10.0.0.1', '203.0.113.9, 10.0.0.7'), '203.0.113.9', 'through two proxies');
  assert.equal(from('fd00::1', '[2001:DB8::1]:443'), '2001:db8::1');
  assert.equal(from('10.0.0.1', '198.51.100.1:5555'), '198.51.100.1');
  assert.equal(from('10.0.0.1', '2001:db8::2'), '2001:db8::2');
  for (const rubbish of [undefined, '', 'unknown', 'a, b', '203.0.113.9, <script>', '999.1.1.1'])
    assert.equal(from('10.0.0.1', rubbish), '10.0.0.1');
  assert.equal(from('192.0.2.1', '10.0.0.1'), '192.0.2.1', 'a stranger is no proxy');
});

test('what is no address cannot be believed', () => {
  for (const wrong of ['proxy.example', '10.0.0.0/33', '10.0.0', '', 'fd00::/129', '10.0.0.1/x'])
    assert.throws(() => createPeers([wrong]), { code: 'flag-invalid' });
});
