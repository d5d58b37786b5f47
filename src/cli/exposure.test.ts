// Who could reach a server, at its start and after its configuration was read again.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keepStart } from '../config/changes.ts';
import type { Config } from '../config/config.ts';
import { readConfig } from '../config/load.ts';
import { accessMode, checkExposure, isLoopback } from './exposure.ts';

const config = (text: string): Config => readConfig(text, '/srv/witbox.yaml').config;

test('only what never leaves this machine is loopback', () => {
  for (const host of ['127.0.0.1', '127.1.2.3', '::1', 'localhost']) assert.ok(isLoopback(host), host);
  for (const host of ['', '0.0.0.0', '::', '127.0.0.1.example.com', 'localhost.example.com', '1270.0.0.1'])
    assert.equal(isLoopback(host), false, host);
});

test('a file that names loopback from now on does not open a server that others still reach', () => {
  const start = config('listen: { host: 0.0.0.0, insecure-no-auth: true }\n');
  assert.equal(accessMode(start), 'exposed');
  const next = config(
    'listen: { host: 127.0.0.1, insecure-no-auth: true }\nmanagement: { granting: true }\n',
  );
  assert.equal(accessMode(next), 'open', 'as it would be after a restart');
  assert.equal(accessMode(keepStart(start, next)), 'exposed');
  assert.throws(() => checkExposure(keepStart(start, config('{}'))), { code: 'bind-refused' });
});

test('a file without TLS or the proxy is judged by what the server was started with', () => {
  const start = config(
    'listen: { host: 0.0.0.0 , trust-proxy: [10.0.0.1] }\nauthentication: { keys: true }\n',
  );
  checkExposure(start);
  const plain = config('listen: { host: 0.0.0.0 }\nauthentication: { keys: true }\n');
  assert.throws(() => checkExposure(plain), { code: 'plain-refused' });
  checkExposure(keepStart(start, plain));
  const removed = config('listen: { host: 0.0.0.0, trust-proxy: [10.0.0.1] }\n');
  assert.throws(() => checkExposure(keepStart(start, removed)), { code: 'bind-refused' });
});
