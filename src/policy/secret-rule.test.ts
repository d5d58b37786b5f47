import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decide } from './decide.ts';
import { EMPTY_DOCUMENT, grantPermission, resetPermissions, revokePermission } from './edit.ts';
import { explain } from './explain.ts';
import type { Grant } from './grant.ts';
import { learnPolicy } from './learn.ts';
import { parsePolicy } from './parse.ts';

const rules = (...lines: string[]): string =>
  `version: "1.0"\npermissions:\n  secrets:\n    allow:\n${lines.map((line) => `      - ${line}\n`).join('')}`;

test('a rule names one secret, one host, and a header or a parameter', () => {
  const { secrets } = parsePolicy(
    rules(
      `{key: API_KEY, host: API.example.com, header: Authorization, value: 'Bearer {secret}'}`,
      `{key: APPID, host: 'http://127.0.0.1:8080', query: appid}`,
      `{key: A.b-c, host: '[fd00::1]', scheme: http, port: 81, header: x-a}`,
    ),
  );
  assert.deepEqual(
    secrets.allow.map(({ text, line, scheme, port, template }) => [text, line, scheme, port, template]),
    [
      ['API_KEY to https://api.example.com (header Authorization)', 5, 'https', 443, 'Bearer {secret}'],
      ['APPID to http://127.0.0.1:8080 (query appid)', 6, 'http', 8080, '{secret}'],
      ['A.b-c to http://[fd00::1]:81 (header x-a)', 7, 'http', 81, '{secret}'],
    ],
  );
});

test('what is not exact, not known or not enforceable is refused with its place', () => {
  const cases: readonly (readonly [string, RegExp])[] = [
    ['{key: A, host: "*.example.com", header: x}', /line 5, column 24.*wildcards/],
    ['{key: A, host: "*", header: x}', /wildcards/],
    ['{key: A, host: a.test/path, header: x}', /host/],
    ['{key: A, host: u@a.test, header: x}', /host/],
    ['{key: A, host: "ftp://a.test", header: x}', /https/],
    ['{key: A, host: a.test, scheme: tcp, header: x}', /https/],
    ['{key: A, host: "https://a.test", scheme: https, header: x}', /twice/],
    ['{key: A, host: a.test, port: 0, header: x}', /port/],
    ['{key: A, host: a.test}', /either header or query/],
    ['{key: A, host: a.test, header: x, query: y}', /either header or query/],
    ['{key: A, header: x}', /must have host/],
    ['{key: "a b", host: a.test, header: x}', /name that a secret can have/],
    ['{key: A, host: a.test, header: "x y"}', /name of a header/],
    ['{key: A, host: a.test, header: Host}', /cannot carry/],
    ['{key: A, host: a.test, header: Transfer-Encoding}', /cannot carry/],
    ['{key: A, host: a.test, header: Content-Length}', /cannot carry/],
    ['{key: A, host: a.test, query: ""}', /name of a parameter/],
    ['{key: A, host: a.test, header: x, value: Bearer}', /\{secret\}/],
    ['{key: A, host: a.test, header: x, value: "{secret}{secret}"}', /once/],
    ['{key: A, host: a.test, header: x, value: "{secret}\\r\\nb: c"}', /one line/],
    ['{key: A, host: a.test, header: x, cidr: 10.0.0.0/8}', /unknown key "cidr"/],
  ];
  for (const [rule, message] of cases)
    assert.throws(() => parsePolicy(rules(rule)), { code: 'policy-invalid', message }, rule);
  assert.throws(
    () => parsePolicy(rules('{key: A, host: a.test, header: X}', '{key: B, host: A.TEST:443, header: x}')),
    { message: /line 6.*another rule sets header/ },
  );
  assert.throws(() => parsePolicy('version: "1.0"\npermissions: {secrets: {deny: [{key: A}]}}'), {
    message: /unknown key "deny"/,
  });
});

test('a secret is decided and explained by its rule', () => {
  const policy = parsePolicy(rules('{key: A, host: a.test, header: x}'));
  assert.deepEqual(
    explain(policy, 'secret:A').map(({ allowed, rule, line, permission }) => [
      allowed,
      rule,
      line,
      permission,
    ]),
    [[true, 'A to https://a.test (header x)', 5, 'secret:A']],
  );
  assert.deepEqual(
    [decide(policy, { kind: 'secret', name: 'B' })].map(({ allowed, reason }) => [allowed, reason]),
    [[false, 'Secret not in allowlist']],
  );
  assert.equal(learnPolicy([{ kind: 'secret', name: 'B' }]).includes('secrets'), false);
});

const grant = (use: Grant['use'], value = 'API_KEY'): Grant => ({ kind: 'secret', value, use });

test('granting adds a rule once, changes its value, and revoking takes it back', () => {
  const use = { host: 'api.test', header: 'Authorization', value: 'Bearer {secret}' };
  const once = grantPermission(EMPTY_DOCUMENT, grant(use));
  assert.match(once, /- key: API_KEY\n +host: api.test\n +header: Authorization\n +value: Bearer \{secret\}/);
  assert.equal(grantPermission(once, grant({ ...use, host: 'https://API.test:443' })), once);
  const changed = grantPermission(once, grant({ ...use, value: 'Token {secret}' }));
  assert.equal(parsePolicy(changed).secrets.allow[0]?.template, 'Token {secret}');
  const two = grantPermission(once, grant({ host: 'api.test', query: 'key' }));
  assert.equal(parsePolicy(two).secrets.allow.length, 2);
  assert.equal(
    parsePolicy(revokePermission(two, { kind: 'secret', value: 'API_KEY', use })).secrets.allow.length,
    1,
  );
  assert.equal(revokePermission(two, { kind: 'secret', value: 'API_KEY' }), EMPTY_DOCUMENT);
  assert.equal(resetPermissions(two, 'secret'), EMPTY_DOCUMENT);
  assert.throws(() => revokePermission(once, { kind: 'secret', value: 'OTHER' }), {
    code: 'grant-not-found',
  });
});

test('a grant that no document could hold is refused', () => {
  for (const [use, problem] of [
    [undefined, /which host/],
    [{ host: 'a.test' }, /header or in the query/],
    [{ host: '*.a.test', header: 'x' }, /wildcards/],
  ] as const)
    assert.throws(() => grantPermission(EMPTY_DOCUMENT, grant(use)), {
      code: 'grant-invalid',
      message: problem,
    });
});
