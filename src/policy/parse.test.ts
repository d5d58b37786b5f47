import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WitboxError } from '../core/errors.ts';
import { parsePolicy } from './parse.ts';

const HEAD = 'version: "1.0"\n';

function refusal(text: string): WitboxError {
  try {
    parsePolicy(text, 'x.yaml');
  } catch (error) {
    assert.ok(error instanceof WitboxError, String(error));
    assert.equal(error.code, 'policy-invalid');
    return error;
  }
  throw new Error(`accepted: ${text}`);
}

test('a document with every kind of rule is read', () => {
  const policy = parsePolicy(`${HEAD}$schema: https://example.com/schema.json
description: All of it
permissions:
  storage:
    allow:
      - uri: fs:///data/**
        access: [write, read]
    deny:
      - uri: fs:///data/secret
  network:
    allow:
      - host: https://api.example.com:8443
      - {cidr: 10.0.0.0/8, port: 5432, scheme: tcp}
  environment:
    allow: [{key: API_KEY}]
  config:
    allow: [{key: greeting}]
  keyvalue:
    allow: [{bucket: default}]
  mcp:
    allow: [{capability: sampling}]
  resources:
    limits: {memory: 512Mi, time: 1.5s, cpu: 500ms, output: 1048576}
`);
  assert.equal(policy.description, 'All of it');
  assert.deepEqual(policy.limits, { memory: 512 * 1024 * 1024, time: 1500, cpu: 500, output: 1024 * 1024 });
  assert.deepEqual(policy.storage.allow[0]?.access, ['read', 'write']);
  assert.deepEqual(policy.storage.deny[0]?.access, ['read', 'write']);
  assert.equal(policy.network.allow[0]?.port, 8443);
  assert.equal(policy.network.allow[1]?.text, '10.0.0.0/8 (tcp, port 5432)');
  assert.deepEqual([policy.network.allow[1]?.line, policy.network.allow[1]?.column], [14, 9]);
  assert.equal(policy.mcp.allow[0]?.name, 'sampling');
});

test('a document without permissions grants nothing and has the default limits', () => {
  for (const rest of [
    '',
    'permissions:\n',
    'permissions: {}\n',
    'permissions: {storage: {allow: []}, network: }\n',
  ]) {
    const policy = parsePolicy(HEAD + rest);
    assert.deepEqual(policy.storage, { allow: [], deny: [] });
    assert.deepEqual(policy.limits, {
      memory: 128 * 1024 * 1024,
      time: 30_000,
      cpu: 30_000,
      output: 8 * 1024 * 1024,
    });
  }
});

test('CPU time without a limit of its own is bounded by the wall time', () => {
  assert.equal(parsePolicy(`${HEAD}permissions: {resources: {limits: {time: 2m}}}`).limits.cpu, 120_000);
});

test('what cannot be enforced is refused at its line and column', () => {
  const rule = (section: string, text: string): string =>
    `${HEAD}permissions:\n  ${section}:\n    allow:\n      - ${text}\n`;
  for (const [text, line, column, problem] of [
    ['version: "2.0"\n', 1, 10, 'version is "2.0", expected "1.0"'],
    ['version: 1.0\n', 1, 10, 'in quotes'],
    ['description: x\n', 1, 1, 'version is missing'],
    [`${HEAD}grants: {}\n`, 2, 1, 'unknown key "grants"'],
    [`${HEAD}permissions:\n  runtime:\n    docker: {}\n`, 3, 3, 'unknown key "runtime"'],
    [`${HEAD}permissions: [storage]\n`, 2, 14, 'permissions must be a mapping'],
    [`${HEAD}permissions:\n  storage:\n    allow: all\n`, 4, 12, 'must be a list'],
    [rule('storage', '{uri: fs:///a, access: [read], recursive: true}'), 5, 40, 'unknown key "recursive"'],
    [rule('storage', '{uri: fs:///a}'), 5, 9, 'must have access'],
    [rule('storage', '{access: [read]}'), 5, 9, 'must have uri'],
    [rule('storage', '{uri: fs:///a, access: []}'), 5, 32, 'must not be empty'],
    [rule('storage', '{uri: fs:///a, access: [execute]}'), 5, 33, '"execute" must be "read" or "write"'],
    [rule('storage', '{uri: fs:///a, access: [read, read]}'), 5, 32, 'the same twice'],
    [rule('storage', '{uri: fs://work/**, access: [read]}'), 5, 15, 'absolute path'],
    [rule('network', '{}'), 5, 9, 'either host or cidr'],
    [rule('network', '{host: a.com, cidr: 10.0.0.0/8}'), 5, 9, 'either host or cidr'],
    [rule('network', '{defaults: true}'), 5, 10, 'unknown key "defaults"'],
    [rule('network', '{host: "https://a.com/path"}'), 5, 16, 'without a path'],
    [rule('network', '{host: "https://user@a.com"}'), 5, 16, 'without a path'],
    [rule('network', '{host: "a.*.com"}'), 5, 16, 'must be a host name'],
    [rule('network', '{host: "*a.com"}'), 5, 16, 'must be a host name'],
    [rule('network', '{host: "*.1.2.3.4"}'), 5, 16, 'must be a host name'],
    [rule('network', '{host: "a.com:0"}'), 5, 16, 'port from 1 to 65535'],
    [rule('network', '{host: a.com, port: 65536}'), 5, 29, 'port from 1 to 65535'],
    [rule('network', '{host: "a.com:80", port: 80}'), 5, 34, 'given twice'],
    [rule('network', '{host: "gopher://a.com"}'), 5, 16, 'has the scheme "gopher"'],
    [rule('network', '{cidr: 10.1.2.3/8}'), 5, 16, 'no bits set behind its prefix'],
    [rule('environment', '{key: "*"}'), 5, 15, 'is not a name that can be granted'],
    [rule('environment', '{key: 5}'), 5, 15, 'key must be a string'],
    [rule('environment', '{key: A, value: b}'), 5, 18, 'unknown key "value"'],
    [`${HEAD}permissions: {resources: {cpu: 2}}\n`, 2, 27, 'unknown key "cpu"'],
    [
      `${HEAD}permissions: {resources: {limits: {cpu: 500m}}}\n`,
      2,
      41,
      'a share of a processor cannot be enforced',
    ],
    [`${HEAD}permissions: {resources: {limits: {memory: 8Gi}}}\n`, 2, 44, 'at most 4Gi'],
    [`${HEAD}permissions: {resources: {limits: {memory: 1}}}\n`, 2, 44, 'at least 64Ki'],
    [`${HEAD}permissions: {resources: {limits: {time: 30}}}\n`, 2, 42, 'units ms, s, m, h'],
    [`${HEAD}permissions: {resources: {limits: {time: -1s}}}\n`, 2, 42, 'units ms, s, m, h'],
    [`${HEAD}permissions: {resources: {limits: {memory: 1.5}}}\n`, 2, 44, 'must be a string'],
    [`${HEAD}permissions: {resources: {limits: {memory: 1constructor}}}\n`, 2, 44, 'units'],
  ] as const) {
    const { details, message } = refusal(text);
    assert.ok(message.includes(problem), `${message} should have: ${problem}`);
    assert.deepEqual([details.line, details.column], [line, column], message);
  }
});

test('YAML that says more than it shows is refused', () => {
  for (const [text, problem] of [
    [`${HEAD}permissions: &p {}\n`, 'anchors'],
    [`${HEAD}description: &d x\npermissions: *d\n`, 'anchors'],
    [`${HEAD}permissions: *p\n`, 'alias'],
    [`${HEAD}permissions: !!map {}\n`, 'tags'],
    [`${HEAD}description: !secret x\n`, 'tag'],
    ['%YAML 1.1\n---\nversion: "1.0"\n', 'directives'],
    [`${HEAD}---\n${HEAD}`, 'one document'],
    [`${HEAD}${HEAD}`, 'twice'],
    [`${HEAD}<<: {permissions: {}}\n`, 'unknown key "<<"'],
    [`${HEAD}__proto__: {permissions: {}}\n`, 'unknown key "__proto__"'],
    [`${HEAD}? [a]\n: b\n`, 'string'],
    [`${HEAD}permissions: {storage: {allow: [}}`, ''],
    ['\t\n', ''],
  ] as const) {
    assert.ok(refusal(text).message.includes(problem), `${refusal(text).message} should have: ${problem}`);
  }
});

test('a document that is too large or too deep is refused', () => {
  assert.match(refusal(`${HEAD}#${' '.repeat(64 * 1024)}`).message, /larger than 64 KiB/);
  assert.match(refusal(`${HEAD}permissions: ${'['.repeat(40_000)}`).message, /deeper than 16/);
  assert.match(refusal(`- `.repeat(30_000)).message, /deeper than 16/);
  assert.match(refusal(`${HEAD}permissions: ${'['.repeat(20)}${']'.repeat(20)}`).message, /deeper than 16/);
  assert.match(refusal(`${HEAD}permissions: [${'1,'.repeat(21_000)}]`).message, /more than 20000 nodes/);
  const many = `[${'{key: A},'.repeat(3000)}]`;
  assert.match(
    refusal(`${HEAD}permissions: {environment: {allow: ${many}}}`).message,
    /more than 2000 rules/,
  );
});

test('a refusal quotes a bounded, harmless piece of the document', () => {
  const { message } = refusal(`${HEAD}"\\e[31m${'x'.repeat(5000)}": 1\n`);
  assert.ok(message.length < 400 && !message.includes('\u001b'), message);
});
