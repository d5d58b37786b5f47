import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decide } from './decide.ts';
import { EMPTY_DOCUMENT, grantPermission, resetPermissions, revokePermission } from './edit.ts';
import type { Grant } from './grant.ts';
import { parsePolicy } from './parse.ts';

const WRITTEN = `# Who may do what
version: "1.0"
description: Written by hand

permissions:
  # Nothing goes out but this
  network:
    allow:
    # the API
    - host: 'api.example.com' # production
    - host: "*.cdn.example.com"
    deny:
    - host: "bad.cdn.example.com"
  storage:
    allow:
    - uri: fs:///data/**   # input
      access: [ read ]
`;

test('a grant leaves comments, order, quotes and style of a document as they are', () => {
  const text = grantPermission(WRITTEN, { kind: 'network', value: 'new.example.com' });
  assert.equal(text.replace('    - host: new.example.com\n', ''), WRITTEN.replace('/**   #', '/** #'));
});

test('a grant that is already there changes nothing at all', () => {
  assert.equal(grantPermission(WRITTEN, { kind: 'network', value: 'API.example.com.' }), WRITTEN);
  assert.equal(
    grantPermission(WRITTEN, { kind: 'storage', value: 'fs:///data/**', access: ['read'] }),
    WRITTEN,
  );
});

test('a grant adds access to the rule that is there', () => {
  const text = grantPermission(WRITTEN, { kind: 'storage', value: 'fs:///data/**', access: ['write'] });
  assert.ok(text.includes('access: [ read, write ]'), text);
  assert.ok(decide(parsePolicy(text), { kind: 'storage', path: '/data/x', access: 'write' }).allowed);
});

test('grants of every kind make a document from nothing', () => {
  const grants: readonly Grant[] = [
    { kind: 'storage', value: 'fs:///data/**', access: ['read', 'write'] },
    { kind: 'network', value: '*.example.com' },
    { kind: 'network', value: '10.0.0.0/8' },
    { kind: 'network', value: '[fd00::1]:80' },
    { kind: 'environment', value: 'API_KEY' },
    { kind: 'keyvalue', value: 'default' },
    { kind: 'memory', value: '256Mi' },
    { kind: 'time', value: '5s' },
  ];
  const text = grants.reduce(grantPermission, EMPTY_DOCUMENT);
  assert.equal(
    text,
    `version: "1.0"
permissions:
  storage:
    allow:
      - uri: fs:///data/**
        access: [read, write]
  network:
    allow:
      - host: "*.example.com"
      - cidr: 10.0.0.0/8
      - host: "[fd00::1]:80"
  environment:
    allow:
      - key: API_KEY
  keyvalue:
    allow:
      - bucket: default
  resources:
    limits:
      memory: 256Mi
      time: 5s
`,
  );
  assert.deepEqual(grants.reduceRight(revokePermission, text), EMPTY_DOCUMENT);
});

test('a grant into an empty flow mapping becomes a block', () => {
  for (const rest of [
    'permissions: {}\n',
    'permissions:\n',
    'permissions: {network: {}}\n',
    'permissions: # none yet\n',
  ]) {
    const text = grantPermission(`version: "1.0"\n${rest}`, { kind: 'network', value: 'a.com' });
    assert.ok(decide(parsePolicy(text), { kind: 'network', host: 'a.com' }).allowed, text);
    assert.ok(!rest.includes('#') || text.includes('# none yet'), text);
  }
});

test('a revocation takes the rule and its comment, nothing else', () => {
  const text = revokePermission(WRITTEN, { kind: 'network', value: '*.cdn.example.com' });
  assert.equal(text, WRITTEN.replace('    - host: "*.cdn.example.com"\n', '').replace('/**   #', '/** #'));
  const policy = parsePolicy(revokePermission(text, { kind: 'network', value: 'api.example.com' }));
  assert.deepEqual(policy.network.allow, []);
  assert.equal(policy.network.deny.length, 1);
});

test('a revocation of one access leaves the other', () => {
  const both = grantPermission(WRITTEN, { kind: 'storage', value: 'fs:///data/**', access: ['write'] });
  const text = revokePermission(both, { kind: 'storage', value: 'fs:///data/**', access: ['read'] });
  assert.deepEqual(parsePolicy(text).storage.allow[0]?.access, ['write']);
});

test('a revocation of what is not granted is an error', () => {
  for (const revocation of [
    { kind: 'network', value: 'example.com' },
    { kind: 'network', value: 'bad.cdn.example.com' },
    { kind: 'storage', value: 'fs:///data/**', access: ['write'] },
    { kind: 'environment', value: 'X' },
    { kind: 'memory' },
  ] as const) {
    assert.throws(
      () => revokePermission(WRITTEN, revocation),
      { code: 'grant-not-found' },
      JSON.stringify(revocation),
    );
  }
});

test('a reset takes everything of a kind, or everything', () => {
  const reset = parsePolicy(resetPermissions(WRITTEN, 'network'));
  assert.deepEqual([reset.network, reset.storage.allow.length], [{ allow: [], deny: [] }, 1]);
  assert.equal(
    resetPermissions(WRITTEN),
    '# Who may do what\nversion: "1.0"\ndescription: Written by hand\n',
  );
  assert.equal(resetPermissions(EMPTY_DOCUMENT), EMPTY_DOCUMENT);
  assert.equal(resetPermissions(EMPTY_DOCUMENT, 'memory'), EMPTY_DOCUMENT);
  assert.equal(resetPermissions(EMPTY_DOCUMENT, 'storage'), EMPTY_DOCUMENT);
});

test('a grant that no document could hold is refused', () => {
  for (const grant of [
    { kind: 'storage', value: 'data', access: ['read'] },
    { kind: 'storage', value: 'fs:///data' },
    { kind: 'storage', value: 'fs:///data', access: [] },
    { kind: 'network', value: 'a.com/path' },
    { kind: 'network', value: '10.0.0.1/8' },
    { kind: 'network', value: '' },
    { kind: 'environment', value: 'A=B' },
    { kind: 'memory', value: 'lots' },
    { kind: 'time', value: '48h' },
  ] as const) {
    assert.throws(() => grantPermission(WRITTEN, grant), { code: 'grant-invalid' }, JSON.stringify(grant));
  }
});

test('a document that cannot be parsed is never edited', () => {
  assert.throws(() => grantPermission('version: "9"', { kind: 'time', value: '5s' }), {
    code: 'policy-invalid',
  });
  assert.throws(() => resetPermissions('{'), { code: 'policy-invalid' });
});
