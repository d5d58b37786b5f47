import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRequestStates } from './request-state.ts';

const secret = Buffer.alloc(32, 1);
const owner = {
  caller: { id: 'ada' },
  method: 'tools/call',
  subject: { name: 'x', arguments: { a: 1, b: 2 } },
};

test('a state is given back once, to its owner, whatever the order of the arguments', () => {
  const states = createRequestStates(secret);
  const sealed = states.seal('kept', owner);
  const same = { ...owner, subject: { arguments: { b: 2, a: 1 }, name: 'x' } };
  assert.equal(states.open(sealed, same), 'kept');
  assert.throws(() => states.open(sealed, owner), /used/);
});

test('a state is refused for another caller, method or subject, and under another secret', () => {
  const states = createRequestStates(secret);
  const sealed = states.seal('kept', owner);
  for (const other of [
    { ...owner, caller: { id: 'eve' } },
    { ...owner, method: 'prompts/get' },
    { ...owner, subject: { name: 'y', arguments: {} } },
  ]) {
    assert.throws(() => states.open(sealed, other));
  }
  assert.throws(() => createRequestStates(Buffer.alloc(32, 2)).open(sealed, owner));
  assert.equal(states.open(sealed, owner), 'kept');
});

test('a state expires', () => {
  let time = 0;
  const states = createRequestStates(secret, { ttlMs: 10, now: () => time });
  const [early, late] = [states.seal('a', owner), states.seal('b', owner)];
  time = 9;
  assert.equal(states.open(early, owner), 'a');
  time = 10;
  assert.throws(() => states.open(late, owner), /expired/);
});

test('every cut or changed state is refused', () => {
  const states = createRequestStates(secret);
  const sealed = states.seal('kept', owner);
  for (let at = 0; at < sealed.length; at += 1) {
    assert.throws(() => states.open(sealed.slice(0, at), owner));
    const changed = sealed[at] === 'A' ? 'B' : 'A';
    assert.throws(() => states.open(sealed.slice(0, at) + changed + sealed.slice(at + 1), owner));
  }
});

test('used states are remembered within a bound', () => {
  const states = createRequestStates(secret, { maxUsed: 2 });
  const sealed = ['a', 'b', 'c'].map((state) => states.seal(state, owner));
  for (const one of sealed) states.open(one, owner);
  assert.throws(() => states.open(sealed[2]!, owner));
});
