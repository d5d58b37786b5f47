import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decide } from './decide.ts';
import { explain } from './explain.ts';
import { parsePolicy } from './parse.ts';
import { EMPTY_POLICY, type Policy } from './policy.ts';
import type { NetworkRequest } from './request.ts';

function policy(body: string): Policy {
  return parsePolicy(`version: "1.0"\npermissions:\n${body}`);
}

function network(
  allow: readonly string[],
  deny: readonly string[] = [],
): (request: Omit<NetworkRequest, 'kind'>) => boolean {
  const list = (rules: readonly string[]): string =>
    rules.map((rule) => `\n      - {${rule}}`).join('') || ' []';
  const made = policy(`  network:\n    allow:${list(allow)}\n    deny:${list(deny)}\n`);
  return (request) => decide(made, { kind: 'network', ...request }).allowed;
}

test('an empty policy denies everything, with the reason', () => {
  const reasons = [
    decide(EMPTY_POLICY, { kind: 'network', host: 'api.example.com', scheme: 'https', port: 443 }),
    decide(EMPTY_POLICY, { kind: 'storage', path: '/data/x', access: 'read' }),
    decide(EMPTY_POLICY, { kind: 'environment', name: 'PATH' }),
    decide(EMPTY_POLICY, { kind: 'keyvalue', name: 'default' }),
    decide(EMPTY_POLICY, { kind: 'mcp', name: 'sampling' }),
  ].map(({ allowed, rule, permission, reason }) => [allowed, rule, permission, reason]);
  assert.deepEqual(reasons, [
    [false, null, 'network:api.example.com', 'Host not in allowlist'],
    [false, null, 'storage:fs:///data/x (read)', 'Path not in allowlist'],
    [false, null, 'environment:PATH', 'Environment variable not in allowlist'],
    [false, null, 'keyvalue:default', 'Bucket not in allowlist'],
    [false, null, 'mcp:sampling', 'MCP capability not in allowlist'],
  ]);
});

test('a decision names the rule and its line', () => {
  const made = policy('  environment:\n    allow:\n      - key: A\n    deny:\n      - key: B\n');
  assert.deepEqual(decide(made, { kind: 'environment', name: 'A' }), {
    allowed: true,
    rule: 'A',
    line: 5,
    reason: 'Allowed by environment.allow, line 5',
    permission: 'environment:A',
  });
  assert.equal(decide(made, { kind: 'environment', name: 'B' }).reason, 'Denied by environment.deny, line 7');
});

test('a storage grant is for its access alone', () => {
  const made = policy('  storage:\n    allow:\n      - {uri: "fs:///data/**", access: [read]}\n');
  const allowed = (path: string, access: 'read' | 'write'): boolean =>
    decide(made, { kind: 'storage', path, access }).allowed;
  assert.ok(allowed('/data', 'read'));
  assert.ok(allowed('/data/a/b', 'read'));
  assert.ok(!allowed('/data/a/b', 'write'));
  assert.ok(!allowed('/data2', 'read'));
  assert.ok(!allowed('/data/../etc/passwd', 'read'));
  assert.ok(!allowed('data/x', 'read'));
});

test('a denied directory denies what it holds', () => {
  const made = policy(`  storage:
    allow:
      - {uri: "fs:///data/**", access: [read, write]}
    deny:
      - {uri: "fs:///data/a/secret"}
      - {uri: "fs:///data/locked", access: [write]}
`);
  const allowed = (path: string, access: 'read' | 'write'): boolean =>
    decide(made, { kind: 'storage', path, access }).allowed;
  assert.ok(!allowed('/data/a/secret', 'read'));
  assert.ok(!allowed('/data/a/secret/key', 'read'));
  assert.ok(allowed('/data/a/secret2', 'read'));
  assert.ok(allowed('/data/locked/x', 'read'));
  assert.ok(!allowed('/data/locked/x', 'write'));
  assert.ok(allowed('/data/a', 'write'));
});

test('a host rule covers its host in every spelling and no other', () => {
  const allowed = network(['host: "API.example.com."']);
  for (const host of ['api.example.com', 'API.EXAMPLE.COM', 'api.example.com.', 'ａpi.example.com'])
    assert.ok(allowed({ host }), host);
  for (const host of ['example.com', 'x.api.example.com', 'api.example.com.evil.org', 'api.example.como', ''])
    assert.ok(!allowed({ host }), host);
});

test('a subdomain rule covers any depth but not the domain itself', () => {
  const allowed = network(['host: "*.example.com"']);
  assert.ok(allowed({ host: 'a.example.com' }));
  assert.ok(allowed({ host: 'a.b.example.com' }));
  assert.ok(!allowed({ host: 'example.com' }));
  assert.ok(!allowed({ host: 'badexample.com' }));
});

test('scheme and port of a rule are enforced', () => {
  const allowed = network([
    'host: "https://a.com"',
    'host: "b.com:8080"',
    'host: c.com, scheme: tcp, port: 22',
    'cidr: 10.0.0.0/8, port: 5432',
  ]);
  assert.ok(allowed({ host: 'a.com', scheme: 'https', port: 8443 }));
  assert.ok(!allowed({ host: 'a.com', scheme: 'http', port: 80 }));
  assert.ok(allowed({ host: 'b.com', scheme: 'http', port: 8080 }));
  assert.ok(!allowed({ host: 'b.com', scheme: 'http', port: 80 }));
  assert.ok(allowed({ host: 'c.com', scheme: 'tcp', port: 22 }));
  assert.ok(!allowed({ host: 'c.com', scheme: 'udp', port: 22 }));
  assert.ok(allowed({ host: '10.0.0.9', scheme: 'tcp', port: 5432 }));
  assert.ok(!allowed({ host: '10.0.0.9', scheme: 'tcp', port: 5433 }));
});

test('a lookup is served by a rule for any port and denied only by a rule for all', () => {
  const allowed = network(
    ['host: "a.com:443"', 'host: "b.com"', 'host: "c.com"'],
    ['host: "b.com:25"', 'host: c.com'],
  );
  assert.ok(allowed({ host: 'a.com' }));
  assert.ok(allowed({ host: 'b.com' }));
  assert.ok(!allowed({ host: 'b.com', scheme: 'tcp', port: 25 }));
  assert.ok(!allowed({ host: 'c.com' }));
});

test('a grant for a name does not reach a special address that it resolves to', () => {
  const allowed = network(['host: rebind.example.com', 'host: "*"', 'cidr: 0.0.0.0/0', 'cidr: "::/0"']);
  assert.ok(allowed({ host: 'rebind.example.com', address: '93.184.216.34' }));
  assert.ok(allowed({ host: '93.184.216.34' }));
  for (const address of [
    '127.0.0.1',
    '10.0.0.1',
    '169.254.169.254',
    '100.64.0.1',
    '::1',
    'fd00::1',
    'fe80::1',
    '::ffff:127.0.0.1',
    '64:ff9b::7f00:1',
    '2002:a00:1::',
    '224.0.0.1',
    '0.0.0.0',
  ]) {
    assert.ok(!allowed({ host: 'rebind.example.com', address }), address);
    assert.ok(!allowed({ host: address }), address);
  }
  for (const host of ['2130706433', '0x7f.1', '0177.1', '127.1', 'localhost'])
    assert.ok(!allowed({ host, address: '127.0.0.1' }), host);
});

test('a denied special address is named as what is missing, and granting it is enough', () => {
  const body = '  network:\n    allow:\n      - host: db.example.com\n';
  const request = {
    kind: 'network',
    host: 'db.example.com',
    scheme: 'tcp',
    port: 5432,
    address: '10.0.0.7',
  } as const;
  const { permission, reason } = decide(policy(body), request);
  assert.equal(permission, 'network:10.0.0.7:5432');
  assert.equal(reason, 'Address 10.0.0.7 is private and needs a grant of its own');
  assert.ok(decide(policy(`${body}      - host: "10.0.0.7:5432"\n`), request).allowed);
});

test('a special address is reached by a grant of its own', () => {
  const allowed = network([
    'host: db.example.com',
    'cidr: 10.0.0.0/8',
    'host: 192.168.1.5',
    'host: "[fd00::1]"',
    'host: localhost',
  ]);
  assert.ok(allowed({ host: '10.1.2.3' }));
  assert.ok(allowed({ host: '192.168.1.5' }));
  assert.ok(!allowed({ host: '192.168.1.6' }));
  assert.ok(allowed({ host: 'fd00::1' }));
  assert.ok(allowed({ host: 'db.example.com', address: '10.1.2.3' }));
  assert.ok(!allowed({ host: 'db.example.com', address: '127.0.0.1' }));
  assert.ok(allowed({ host: 'localhost', address: '127.0.0.1' }));
  assert.ok(allowed({ host: 'localhost', address: '::1' }));
  assert.ok(!allowed({ host: 'localhost', address: '172.16.0.1' }), 'localhost may only be loopback');
  assert.ok(!allowed({ host: '127.0.0.1' }), 'the name is not the address');
  assert.ok(!allowed({ host: 'other.example.com', address: '10.1.2.3' }), 'a block grants no names');
});

test('a deny on an address holds for every name and every way to write it', () => {
  const allowed = network(
    ['host: "*"', 'cidr: "64:ff9b::/96"', 'cidr: 10.0.0.0/8'],
    ['cidr: 93.184.0.0/16', 'host: 10.0.0.7'],
  );
  assert.ok(!allowed({ host: 'a.com', address: '93.184.216.34' }));
  assert.ok(!allowed({ host: '0x5db8d822' }));
  assert.ok(!allowed({ host: 'a.com', address: '64:ff9b::5db8:d822' }));
  assert.ok(!allowed({ host: 'a.com', address: '10.0.0.7' }));
  assert.ok(allowed({ host: 'a.com', address: '10.0.0.8' }));
});

test('an address that is not the literal host asked for is denied', () => {
  const allowed = network(['host: "*"']);
  assert.ok(!allowed({ host: '1.1.1.1', address: '8.8.8.8' }));
  assert.ok(!allowed({ host: 'a.com', address: 'not-an-address' }));
  assert.ok(!allowed({ host: '::2606', address: '0.0.38.6' }));
});

test('explain answers permissions as people write them', () => {
  const made = policy(
    '  storage:\n    allow:\n      - {uri: "fs:///data/**", access: [read]}\n  network:\n    allow: [{host: "https://a.com:443"}]\n',
  );
  assert.deepEqual(
    explain(made, 'storage:fs:///data/x').map(({ allowed }) => allowed),
    [true, false],
  );
  assert.deepEqual(
    explain(made, 'storage:fs:///data/x (read)').map(({ allowed }) => allowed),
    [true],
  );
  assert.deepEqual(
    explain(made, 'storage:/data/x (read, write)').map(({ allowed }) => allowed),
    [true, false],
  );
  assert.deepEqual(
    explain(made, 'network:https://a.com').map(({ allowed }) => allowed),
    [true],
  );
  assert.deepEqual(
    explain(made, 'network:http://a.com').map(({ allowed }) => allowed),
    [false],
  );
  assert.deepEqual(
    explain(made, 'environment:HOME').map(({ allowed }) => allowed),
    [false],
  );
  for (const text of [
    '',
    'network',
    'network:',
    'network:a b',
    'network:a.com:99999',
    'storage:x',
    'storage:fs:///a/*',
    'toString:x',
    'files:/x',
  ]) {
    assert.throws(() => explain(made, text), { code: 'permission-invalid' }, text);
  }
});
