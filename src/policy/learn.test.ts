import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decide } from './decide.ts';
import { learnPolicy } from './learn.ts';
import { parsePolicy } from './parse.ts';
import type { PolicyRequest } from './request.ts';

const DENIALS: readonly PolicyRequest[] = [
  { kind: 'network', host: 'api.example.com' },
  { kind: 'network', host: 'API.example.com', scheme: 'https', port: 443 },
  { kind: 'network', host: 'api.example.com', scheme: 'https', port: 443, address: '93.184.216.34' },
  { kind: 'network', host: 'db.example.com', scheme: 'tcp', port: 5432, address: '10.0.0.7' },
  { kind: 'network', host: '::1', scheme: 'http', port: 8080 },
  { kind: 'storage', path: '/data/a*b', access: 'read' },
  { kind: 'storage', path: '/data/a*b', access: 'write' },
  { kind: 'storage', path: '/out/x', access: 'write' },
  { kind: 'environment', name: 'API_KEY' },
  { kind: 'environment', name: 'API_KEY' },
  { kind: 'keyvalue', name: 'default' },
];

test('a learned document allows every denial and nothing near it', () => {
  const policy = parsePolicy(learnPolicy(DENIALS));
  for (const denial of DENIALS) assert.ok(decide(policy, denial).allowed, JSON.stringify(denial));
  for (const request of [
    { kind: 'network', host: 'api.example.com', scheme: 'http', port: 80 },
    { kind: 'network', host: 'x.api.example.com', scheme: 'https', port: 443 },
    { kind: 'network', host: 'db.example.com', scheme: 'tcp', port: 5432, address: '10.0.0.8' },
    { kind: 'storage', path: '/data/axb', access: 'read' },
    { kind: 'storage', path: '/out/x', access: 'read' },
    { kind: 'environment', name: 'API_KEY2' },
  ] as const) {
    assert.ok(!decide(policy, request).allowed, JSON.stringify(request));
  }
});

test('a learned document has no rule that could be left out', () => {
  const text = learnPolicy(DENIALS);
  const policy = parsePolicy(text);
  const rules = [
    ...policy.network.allow,
    ...policy.storage.allow,
    ...policy.environment.allow,
    ...policy.keyvalue.allow,
  ];
  assert.equal(rules.length, 8, text);
  for (const rule of rules) {
    const list = policy[rule.section];
    const without = {
      ...policy,
      [rule.section]: { ...list, allow: (list.allow as readonly unknown[]).filter((each) => each !== rule) },
    };
    assert.ok(
      DENIALS.some((denial) => !decide(without, denial).allowed),
      `${rule.text} is not needed`,
    );
  }
});

test('what can never be granted is not learned', () => {
  const text = learnPolicy([
    { kind: 'storage', path: '../x', access: 'read' },
    { kind: 'network', host: 'a b' },
    { kind: 'network', host: 'a.com', scheme: 'gopher', port: 70 },
    { kind: 'environment', name: 'A=B' },
  ]);
  assert.deepEqual(parsePolicy(text).network.allow, []);
  assert.deepEqual(parsePolicy(text).storage.allow, []);
});
