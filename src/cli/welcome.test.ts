import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Welcome, welcome } from './welcome.ts';

const OPEN: Welcome = {
  host: '127.0.0.1',
  port: 8080,
  fingerprint: null,
  transports: ['http'],
  tools: [],
  isTerminal: true,
  command: ['/opt/node', '/opt/witbox.cjs'],
  dataDir: '/srv/data',
  proof: 'none',
  publicUrl: null,
  authority: null,
};

test('programs get the addresses only', () => {
  assert.equal(
    welcome({ ...OPEN, isTerminal: false }),
    'Witbox serves 0 tools\n  Streamable HTTP  http://127.0.0.1:8080/mcp\n',
  );
});

test('what hosts are to start is this Witbox with its data, asked of no registry', () => {
  const text = welcome(OPEN);
  assert.match(
    text,
    /"command":"\/opt\/node","args":\["\/opt\/witbox\.cjs","serve","--stdio","--data-dir","\/srv\/data"\]/,
  );
  assert.doesNotMatch(text, /npx/);
  assert.match(text, /curl -s http:\/\/127\.0\.0\.1:8080\/mcp -H 'content-type/);
});

test('a server that asks who is calling leads nobody past its gate, and says where it can be reached', () => {
  const text = welcome({
    ...OPEN,
    host: '0.0.0.0',
    port: 8443,
    fingerprint: 'AA:BB',
    proof: 'key',
    publicUrl: 'https://mcp.example.com:8443/',
    authority: '/srv/data/tls/self-signed.crt',
  });
  assert.doesNotMatch(text, /--stdio/);
  const other = welcome({ ...OPEN, proof: 'other', publicUrl: 'https://mcp.example.com/mcp' });
  assert.doesNotMatch(other, /--stdio|key/i);
  assert.match(other, /"url":"https:\/\/mcp\.example\.com\/mcp"\}/);
  assert.match(text, /witbox key create NAME/);
  assert.match(
    text,
    /"url":"https:\/\/mcp\.example\.com:8443\/mcp","headers":\{"Authorization":"Bearer \$\{input:key\}"\}/,
  );
  assert.match(
    text,
    /curl -s --cacert '\/srv\/data\/tls\/self-signed\.crt' https:\/\/localhost:8443\/mcp -H "authorization: Bearer \$KEY"/,
  );
});
