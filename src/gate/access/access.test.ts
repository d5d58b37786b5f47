import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ANYBODY, type Caller, LOCAL } from '../../core/caller.ts';
import { WitboxError } from '../../core/errors.ts';
import type { AccessRule, Reach } from '../options.ts';
import { createAccess } from './access.ts';

const NOTHING: Reach = { tools: [], components: [], resources: [], prompts: [], management: [] };

function rule(who: string[], parts: { allow?: Partial<Reach>; deny?: Partial<Reach> }): AccessRule {
  return { who, allow: { ...NOTHING, ...parts.allow }, deny: { ...NOTHING, ...parts.deny }, arguments: [] };
}

function caller(kind: Caller['kind'], name: string, more: Partial<Caller> = {}): Caller {
  const id = `${kind}:${name}`;
  return { id, kind, name, scopes: [], groups: [], address: null, expiresAt: null, ...more };
}

const ci = caller('key', 'ci-1');
const tool = (name: string, component = 'files') => ({ kind: 'tool', name, component }) as const;
const resource = (name: string, component = 'notes') => ({ kind: 'resource', name, component }) as const;
const management = (name: string) => ({ kind: 'management', name, component: 'witbox' }) as const;
const access = (...rules: AccessRule[]) => createAccess({ rules }, 'authenticated');

test('nothing is allowed to a caller whom no rule names', () => {
  const { mayUse } = access(rule(['key:other'], { allow: { tools: ['*'] } }));
  assert.deepEqual(mayUse(ci, tool('read')), {
    allowed: false,
    rule: null,
    reason: 'no rule names this caller',
  });
});

test('a deny beats every allow, whichever rule comes first', () => {
  const allow = rule(['key:ci-*'], { allow: { tools: ['*'] } });
  const deny = rule(['*'], { deny: { tools: ['delete_*'] } });
  for (const both of [access(allow, deny), access(deny, allow)]) {
    assert.equal(both.mayUse(ci, tool('read')).allowed, true);
    assert.equal(both.mayUse(ci, tool('delete_all')).allowed, false);
  }
  assert.equal(access(deny, allow).mayUse(ci, tool('delete_all')).rule, 1);
});

test('a denied tool stays denied under its qualified and its bare name', () => {
  const { mayUse } = access(
    rule(['*'], { allow: { tools: ['*'] }, deny: { tools: ['delete', 'files.drop'] } }),
  );
  assert.equal(mayUse(ci, tool('delete')).allowed, false);
  assert.equal(mayUse(ci, tool('files.delete')).allowed, false, 'shown qualified since another has the name');
  assert.equal(mayUse(ci, tool('drop')).allowed, false, 'denied by its qualified name');
  assert.equal(mayUse(ci, tool('drop', 'other')).allowed, true);
});

test('an allowed bare name does not allow the tool of another component that has it too', () => {
  const { mayUse } = access(rule(['*'], { allow: { tools: ['read'] } }));
  assert.equal(mayUse(ci, tool('read')).allowed, true);
  assert.equal(mayUse(ci, tool('files.read')).allowed, false);
  const qualified = access(rule(['*'], { allow: { tools: ['files.read'] } }));
  assert.equal(qualified.mayUse(ci, tool('read')).allowed, true);
  assert.equal(qualified.mayUse(ci, tool('read', 'evil')).allowed, false);
});

test('a component is allowed or denied with all it has', () => {
  const { mayUse } = access(
    rule(['*'], { allow: { components: ['n*'] } }),
    rule(['*'], { deny: { components: ['nuke'] }, allow: { tools: ['boom'] } }),
  );
  assert.equal(mayUse(ci, resource('notes://1')).allowed, true);
  assert.equal(mayUse(ci, { kind: 'prompt', name: 'p', component: 'notes' }).allowed, true);
  assert.equal(mayUse(ci, tool('boom', 'nuke')).allowed, false);
});

test('neither all tools nor all components reach management', () => {
  const all = { tools: ['*'], components: ['*'], resources: ['*'], prompts: ['*'] };
  const { mayUse } = access(rule(['*'], { allow: all }));
  for (const name of ['load-component', 'component://a/log', 'write-policy'])
    assert.equal(mayUse(ci, management(name)).allowed, false);
  const managed = access(
    rule(['*'], { allow: { management: ['*'] }, deny: { tools: ['load-*'], resources: ['*/log'] } }),
  );
  assert.equal(managed.mayUse(ci, management('list-components')).allowed, true);
  assert.equal(managed.mayUse(ci, management('load-component')).allowed, false, 'a tool too');
  assert.equal(managed.mayUse(ci, management('component://a/log')).allowed, false, 'a resource too');
  assert.equal(managed.mayUse(ci, tool('read')).allowed, false);
});

test('a denied address stays denied in other spellings, an allowed one is not left by dots', () => {
  const { mayUse } = access(
    rule(['*'], { allow: { resources: ['notes://*'] }, deny: { resources: ['notes://a/secret*'] } }),
  );
  assert.equal(mayUse(ci, resource('notes://a/public')).allowed, true);
  for (const uri of [
    'notes://a/secret/1',
    'notes://a/%73ecret/1',
    'notes://a/public/../secret/1',
    'notes://a/public/%2e%2e/secret',
    'notes://a/./secret',
    'notes://a/%73ecret/%ff',
    'notes://a/%73ecret/50%',
    'notes://a/x%2f..%2f%73ecret/%ff',
  ])
    assert.equal(mayUse(ci, resource(uri)).allowed, false, uri);
  const below = access(rule(['*'], { allow: { resources: ['notes://a/public/*'] } }));
  assert.equal(below.mayUse(ci, resource('notes://a/public/x')).allowed, true);
  assert.equal(below.mayUse(ci, resource('notes://a/public/../secret')).allowed, false);
  assert.equal(below.mayUse(ci, resource('notes://a/public/%2E%2E/secret')).allowed, false);
});

test('who: kinds, names, groups and scopes are not taken for one another', () => {
  const yes = { allow: { tools: ['*'] } };
  const cases: [string, Caller, boolean][] = [
    ['key:ci-*', ci, true],
    ['subject:ci-*', ci, false],
    ['certificate:ci-1', ci, false],
    ['group:admins', caller('subject', 'admins'), false],
    ['group:admins', caller('subject', 'x', { groups: ['admins'] }), true],
    ['group:admins', caller('subject', 'x', { scopes: ['admins'] }), false],
    ['scope:tools', caller('key', 'x', { scopes: ['tools'] }), true],
    ['local', LOCAL, true],
    ['local', caller('key', 'local'), false],
    ['anybody', ANYBODY, true],
    ['anybody', ci, false],
    ['*', ANYBODY, true],
    ['key:*', ANYBODY, false],
  ];
  for (const [who, one, allowed] of cases)
    assert.equal(access(rule([who], yes)).mayUse(one, tool('t')).allowed, allowed, `${who} ${one.id}`);
});

test('rules that cannot be meant are refused by their number', () => {
  for (const who of ['admin', 'keys:x', ':x', 'key:', ''])
    assert.throws(
      () => access(rule(['*'], {}), rule([who], {})),
      (error) => error instanceof WitboxError && error.code === 'access-invalid' && error.details.rule === 2,
      who,
    );
});

test('callers named by the same rules share a view, others and later rules do not', () => {
  const rules = [rule(['key:ci-*'], { allow: { tools: ['*'] } }), rule(['group:g'], {})];
  const one = createAccess({ rules }, 'authenticated');
  assert.equal(one.view(ci), one.view(caller('key', 'ci-2')));
  assert.notEqual(one.view(ci).key, one.view(caller('key', 'ci-2', { groups: ['g'] })).key);
  const before = one.view(ci).key;
  one.set({ rules: [] }, 'authenticated');
  assert.notEqual(one.view(ci).key, before);
  assert.equal(one.mayUse(ci, tool('read')).allowed, false);
});

test('rules that cannot be used leave those that are there', () => {
  const one = access(rule(['*'], { allow: { tools: ['*'] } }));
  assert.throws(() => one.set({ rules: [rule(['nonsense'], {})] }, 'authenticated'));
  assert.equal(one.mayUse(ci, tool('read')).allowed, true);
});

test('without rules: who is on this machine may all, who is known may use, anybody as the mode says', () => {
  const may = (mode: 'open' | 'exposed' | 'authenticated', one: Caller) => {
    const { mayUse } = createAccess(null, mode);
    return [mayUse(one, tool('t')).allowed, mayUse(one, management('load-component')).allowed];
  };
  for (const mode of ['open', 'exposed', 'authenticated'] as const) {
    assert.deepEqual(may(mode, LOCAL), [true, true]);
    assert.deepEqual(may(mode, ci), [true, false]);
  }
  assert.deepEqual(may('open', ANYBODY), [true, true]);
  assert.deepEqual(may('exposed', ANYBODY), [true, false]);
  assert.deepEqual(may('authenticated', ANYBODY), [false, false]);
});

test('a flood of names does not grow what is kept without end, and verdicts stay right', () => {
  const { mayUse } = access(rule(['*'], { allow: { resources: ['notes://a*'] } }));
  for (let at = 0; at < 25_000; at++) mayUse(ci, resource(`notes://b${at}`));
  assert.equal(mayUse(ci, resource('notes://a')).allowed, true);
  assert.equal(mayUse(ci, resource('notes://b1')).allowed, false);
});

test('a subject can be named with its issuer, and no other issuer can make that name', () => {
  const subject = (issuer: string, name: string): Caller => ({
    ...caller('subject', name),
    id: `subject:${issuer}#${name}`,
  });
  const allow = { tools: ['*'] };
  const one = access(rule(['subject:https://a.example#ada'], { allow }));
  assert.equal(one.mayUse(subject('https://a.example', 'ada'), tool('t')).allowed, true);
  assert.equal(one.mayUse(subject('https://b.example', 'ada'), tool('t')).allowed, false);
  assert.equal(one.mayUse(subject('https://b.example', 'https://a.example#ada'), tool('t')).allowed, false);
  const both = access(rule(['subject:ada'], { allow }));
  assert.equal(both.mayUse(subject('https://b.example', 'ada'), tool('t')).allowed, true);
});
