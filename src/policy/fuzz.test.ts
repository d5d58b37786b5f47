// Properties of the whole: whatever the text, nothing but WitboxError is thrown; whatever the rules, more deny rules
// never allow and more allow rules never deny.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom, type Random } from '../../test/random-types.ts';
import { WitboxError } from '../core/errors.ts';
import { decide } from './decide.ts';
import { grantPermission, resetPermissions, revokePermission } from './edit.ts';
import { parsePolicy } from './parse.ts';
import { parsePermission, permissionOf } from './permission.ts';
import type { Policy, Section } from './policy.ts';
import type { PolicyRequest } from './request.ts';

const SEED_DOCUMENT = `version: "1.0"
description: seed
permissions:
  storage:
    allow:
      - uri: "fs:///data/**"
        access: [read, write]
    deny:
      - uri: fs:///data/*/x
  network:
    allow: [{host: "*.example.com:443"}, {cidr: 10.0.0.0/8, scheme: tcp}]
  environment:
    allow:
      - key: HOME
  resources:
    limits: {memory: 64Mi, time: 10s}
`;

test('mutated documents are parsed or refused, and nothing else happens', () => {
  const random = createRandom(1);
  let parsed = 0;
  for (let i = 0; i < 800; i += 1) {
    const text = mutate(SEED_DOCUMENT, random);
    const policy = attempt(() => parsePolicy(text), text);
    if (!policy) continue;
    parsed += 1;
    decide(policy, randomRequest(random));
    // A document that was accepted can be edited, and the result is accepted again.
    const granted = grantPermission(text, { kind: 'network', value: 'new.example.com' });
    assert.equal(parsePolicy(granted).network.allow.at(-1)?.text, 'new.example.com');
    revokePermission(granted, { kind: 'network', value: 'new.example.com' });
    attempt(
      () => revokePermission(text, { kind: 'storage', value: 'fs:///data/**' }),
      text,
      'grant-not-found',
    );
    resetPermissions(text);
    resetPermissions(text, 'storage');
  }
  assert.ok(parsed > 50 && parsed < 780, `${parsed} were accepted`);
});

test('random bytes are refused as policies and as permissions', () => {
  const random = createRandom(2);
  const alphabet = [
    ...' \n\t-:?*&!|>{}[],#"\'%@`\\\0\u0085\ufeff\ud800aA01./~()',
    'fs://',
    'network:',
    'storage:',
    'version: "1.0"',
  ];
  for (let i = 0; i < 2000; i += 1) {
    const text = Array.from({ length: random.below(60) }, () => random.pick(alphabet)).join('');
    attempt(() => parsePolicy(text), text);
    attempt(() => parsePermission(text), text);
  }
});

test('a permission string leads back to the request it was made from', () => {
  const random = createRandom(3);
  for (let i = 0; i < 2000; i += 1) {
    const request = randomRequest(random);
    const text = permissionOf(request);
    const requests = attempt(() => parsePermission(text), text);
    if (requests) assert.deepEqual(requests.map(permissionOf), [text]);
  }
});

test('a deny rule more never allows, an allow rule more never denies', () => {
  const random = createRandom(4);
  let allowed = 0;
  for (let i = 0; i < 300; i += 1) {
    const rules = Array.from({ length: 1 + random.below(6) }, () => randomRule(random));
    const extra = randomRule(random);
    const before = policyOf(rules);
    const moreDeny = policyOf([...rules, { ...extra, effect: 'deny' }]);
    const moreAllow = policyOf([...rules, { ...extra, effect: 'allow' }]);
    for (let n = 0; n < 30; n += 1) {
      const request = randomRequest(random);
      const now = decide(before, request).allowed;
      if (now) allowed += 1;
      if (now) assert.ok(decide(moreAllow, request).allowed, `${extra.text} denied ${permissionOf(request)}`);
      else assert.ok(!decide(moreDeny, request).allowed, `${extra.text} allowed ${permissionOf(request)}`);
    }
  }
  assert.ok(allowed > 200, `only ${allowed} requests were allowed at all`);
});

function attempt<T>(action: () => T, context: string, expected?: string): T | undefined {
  try {
    return action();
  } catch (error) {
    assert.ok(
      error instanceof WitboxError && error.code !== 'internal',
      `${String(error)} for ${JSON.stringify(context)}`,
    );
    if (expected) assert.equal(error.code, expected, context);
    return undefined;
  }
}

function mutate(text: string, { below, pick }: Random): string {
  const pieces = [
    '\n',
    '  ',
    '- ',
    ': ',
    '*',
    '**',
    '&a ',
    '*a',
    '!!str ',
    '{',
    '}',
    '[',
    ']',
    '"',
    "'",
    '#',
    '%',
    '|',
    '>',
    '\t',
    '0',
    '../',
    'fs:///',
    '---\n',
    ',',
    '\0',
    '\ud800',
    '?',
    '<<: ',
  ];
  let result = text;
  for (let n = 0; n <= below(3); n += 1) {
    const at = below(result.length);
    const end = Math.min(result.length, at + below(8));
    const change = below(3);
    if (change === 0) result = result.slice(0, at) + pick(pieces) + result.slice(at);
    else if (change === 1) result = result.slice(0, at) + result.slice(end);
    else result = result.slice(0, at) + result.slice(at, end).repeat(2) + result.slice(end);
  }
  return result;
}

interface RandomRule {
  readonly section: Section;
  readonly effect: 'allow' | 'deny';
  readonly text: string;
}

function randomRule({ pick, chance }: Random): RandomRule {
  const section = pick(['storage', 'network', 'network', 'environment'] as const);
  const effect = chance(0.3) ? 'deny' : 'allow';
  if (section === 'environment') return { section, effect, text: `{key: ${pick(['A', 'B'])}}` };
  if (section === 'storage') {
    const uri = pick(['/**', '/a/**', '/a/*', '/a/b', '/**/b', '/a/?/c', '/*/b/**']);
    return {
      section,
      effect,
      text: `{uri: "fs://${uri}", access: [${pick(['read', 'write', 'read, write'])}]}`,
    };
  }
  const target = pick([
    'host: "*"',
    'host: a.com',
    'host: "*.a.com"',
    'host: localhost',
    'host: 127.0.0.1',
    'cidr: 10.0.0.0/8',
    'cidr: 0.0.0.0/0',
    'cidr: 8.0.0.0/8',
    'cidr: "64:ff9b::/96"',
  ]);
  return {
    section,
    effect,
    text: `{${target}${pick(['', '', ', port: 443', ', scheme: https', ', scheme: tcp, port: 443'])}}`,
  };
}

function policyOf(rules: readonly RandomRule[]): Policy {
  const sections = (['storage', 'network', 'environment'] as const).map((section) => {
    const list = (effect: string): string =>
      rules
        .filter((rule) => rule.section === section && rule.effect === effect)
        .map(({ text }) => text)
        .join(', ');
    return `${section}: {allow: [${list('allow')}], deny: [${list('deny')}]}`;
  });
  return parsePolicy(`version: "1.0"\npermissions: {${sections.join(', ')}}\n`);
}

function randomRequest({ pick, chance }: Random): PolicyRequest {
  const kind = pick(['storage', 'network', 'network', 'environment'] as const);
  if (kind === 'environment') return { kind, name: pick(['A', 'B', 'C']) };
  if (kind === 'storage') {
    const path = pick(['/', '/a', '/a/b', '/a/b/c', '/b', '/x/b/y', '/a*', 'a', '/a/../b', '/a b%']);
    return { kind, path, access: pick(['read', 'write'] as const) };
  }
  return {
    kind,
    host: pick([
      'a.com',
      'x.a.com',
      'A.com.',
      'localhost',
      '127.0.0.1',
      '0x7f.1',
      '10.0.0.1',
      '8.8.8.8',
      '::1',
      '64:ff9b::808:808',
      'a b',
    ]),
    scheme: pick(['http', 'https', 'tcp', null]),
    port: pick([80, 443, null]),
    ...(chance(0.5)
      ? { address: pick(['8.8.8.8', '127.0.0.1', '10.0.0.1', '::1', '64:ff9b::808:808', '1.1.1.1', 'x']) }
      : {}),
  };
}
