import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AuditEntry, AuditSink } from '../audit/entry.ts';
import { ANYBODY, type Caller } from '../core/caller.ts';
import { WitboxError } from '../core/errors.ts';
import { Refusal } from '../core/refusal.ts';
import type { Admission as Asked } from '../protocol/admission.ts';
import { type AdmissionDeps, createAdmission } from './admission.ts';
import type { AddressLimits, CallerLimits, LimitOptions } from './options.ts';

function limits(parts: { caller?: Partial<CallerLimits>; address?: Partial<AddressLimits> }): LimitOptions {
  return {
    caller: { requests: null, concurrent: null, sessions: null, bytesPerDay: null, ...parts.caller },
    address: { requests: null, failures: null, connections: null, ...parts.address },
    tools: [],
    concurrent: 64,
    queue: 64,
  };
}

const key = (name: string, address: string | null = '192.0.2.1'): Caller => ({
  id: `key:${name}`,
  kind: 'key',
  name,
  scopes: [],
  groups: [],
  address,
  expiresAt: null,
});

const request = { method: 'tools/call', size: 100 };

function setup(options: LimitOptions, more: Partial<AdmissionDeps> = {}) {
  let time = Date.UTC(2026, 0, 1, 23, 0, 0);
  const denied: string[] = [];
  const lines: AuditEntry[] = [];
  const audit: AuditSink = {
    check() {},
    record(entry) {
      lines.push(entry);
      return { durable: Promise.resolve() };
    },
  };
  const meter = { called() {}, queued() {}, denied: (reason: string) => void denied.push(reason) };
  const clock = () => time;
  const admission = createAdmission(options, { meter, audit, now: clock, elapsed: clock, ...more });
  const refused = (caller: Caller): Refusal => {
    try {
      admission.admit(caller, request);
    } catch (error) {
      assert.ok(error instanceof Refusal);
      return error;
    }
    assert.fail('it was let in');
  };
  return { admission, refused, denied, lines, pass: (ms: number) => (time += ms) };
}

test('a caller with too many requests is told when to come back, others are served', () => {
  const { admission, refused, denied, pass } = setup(
    limits({ caller: { requests: { rate: 0.5, burst: 2 } } }),
  );
  const asked: Asked = admission;
  asked.admit(key('a'), request);
  asked.admit(key('a', '198.51.100.7'), request);
  const refusal = refused(key('a', '203.0.113.9'));
  assert.equal(refusal.code, 'rate-limited');
  assert.deepEqual(refusal.headers, {
    'Retry-After': '2',
    'RateLimit-Policy': '"limits.caller.requests";q=2;w=4',
    RateLimit: '"limits.caller.requests";r=0;t=2',
  });
  assert.deepEqual(refusal.data, { limit: 'limits.caller.requests', retryAfterMs: 2_000 });
  admission.admit(key('b'), request);
  pass(2_000);
  admission.admit(key('a'), request);
  assert.deepEqual(denied, ['rate']);
});

test('strangers do not use up what other strangers have', () => {
  const { admission, refused } = setup(limits({ caller: { requests: { rate: 1, burst: 1 } } }));
  admission.admit({ ...ANYBODY, address: '192.0.2.1' }, request);
  refused({ ...ANYBODY, address: '192.0.2.1' });
  admission.admit({ ...ANYBODY, address: '192.0.2.2' }, request);
});

test('an address counts with all its callers and spellings, and a network of IPv6 as one', () => {
  const { admission, refused } = setup(limits({ address: { requests: { rate: 1, burst: 2 } } }));
  admission.admit(key('a', '192.0.2.1'), request);
  admission.admit(key('b', '::ffff:192.0.2.1'), request);
  assert.equal(refused(key('c', '::FFFF:192.0.2.1')).data?.limit, 'limits.address.requests');
  admission.admit(key('a', '2001:db8::1'), request);
  admission.admit(key('a', '2001:0DB8:0:0:ffff:1:2:3%eth0'), request);
  refused(key('a', '2001:db8:0::7'));
  admission.admit(key('a', '2001:db8:0:1::7'), request);
  admission.admit(key('a', null), request);
});

test('bytes are counted in both directions until the day ends', () => {
  const { admission, refused, pass, denied } = setup(limits({ caller: { bytesPerDay: 200 } }));
  const sent: string[] = [];
  const route = admission.counted(key('a'), {
    send: (text) => void sent.push(text),
    end: (text) => void sent.push(text),
    skip() {},
    closeStream() {},
  });
  admission.admit(key('a'), request);
  route.send('x'.repeat(60));
  admission.admit(key('a'), { ...request, size: 1 });
  route.end('é'.repeat(20), 200);
  assert.equal(sent.length, 2);
  const refusal = refused(key('a'));
  assert.equal(refusal.code, 'quota-exceeded');
  assert.equal(refusal.headers['Retry-After'], '3600');
  admission.admit(key('b'), request);
  pass(-86_400_000);
  refused(key('a'));
  pass(86_400_000 + 3_600_000);
  admission.admit(key('a'), request);
  assert.deepEqual(denied, ['bytes', 'bytes']);
});

test('a proof that no longer holds is refused first', () => {
  const { admission, lines, denied } = setup(limits({ caller: { requests: { rate: 1, burst: 1 } } }), {
    check() {
      throw new WitboxError('unauthenticated', { reason: 'the credential has expired' });
    },
  });
  assert.throws(() => admission.admit(key('a'), request), { code: 'unauthenticated' });
  assert.deepEqual(denied, ['unauthenticated']);
  assert.deepEqual(
    lines.map(({ kind, outcome, caller, error }) => [kind, outcome, caller, error]),
    [['decision', 'unauthenticated', 'key:a', 'unauthenticated']],
  );
});

test('a flood of refusals is counted in full and written down in part', () => {
  const { refused, lines, denied, admission, pass } = setup(
    limits({ caller: { requests: { rate: 0.0001, burst: 1 } } }),
  );
  admission.admit(key('a'), request);
  for (let at = 0; at < 1_000; at++) refused(key('a'));
  assert.equal(denied.length, 1_000);
  assert.equal(lines.length, 5);
  pass(1_000);
  refused(key('a'));
  assert.equal(lines.length, 6);
});

test('without limits a route is passed on as it is', () => {
  const { admission } = setup(limits({}));
  const route = { send() {}, end() {}, skip() {}, closeStream() {} };
  assert.equal(admission.counted(key('a'), route), route);
});

test('other limits count from the next request', () => {
  const { admission, refused } = setup(limits({}));
  for (let at = 0; at < 10; at++) admission.admit(key('a'), request);
  admission.set(limits({ caller: { requests: { rate: 1, burst: 1 } } }));
  admission.admit(key('a'), request);
  refused(key('a'));
});

test('a ping is answered however busy its caller is, as long as the proof holds', () => {
  const { admission, refused } = setup(limits({ caller: { requests: { rate: 1, burst: 1 } } }));
  admission.admit(key('ci'), request);
  refused(key('ci'));
  admission.admit(key('ci'), { method: 'ping', size: 50 });
});
