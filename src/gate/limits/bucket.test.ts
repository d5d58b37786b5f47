import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createBuckets } from './bucket.ts';

function clock(start = 1_000_000) {
  let time = start;
  return { now: () => time, pass: (ms: number) => (time += ms) };
}

test('a bucket gives its burst at once and then what comes back', () => {
  const { now, pass } = clock();
  const buckets = createBuckets({ rate: 2, burst: 3 }, now);
  assert.deepEqual(
    [1, 2, 3].map(() => buckets.take('a')),
    [0, 0, 0],
  );
  assert.equal(buckets.take('a'), 500);
  pass(499);
  assert.ok(buckets.take('a') > 0, 'too early by a millisecond');
  pass(1);
  assert.equal(buckets.take('a'), 0);
  assert.equal(buckets.take('a'), 500);
});

test('a refused attempt costs nothing', () => {
  const { now, pass } = clock();
  const buckets = createBuckets({ rate: 1, burst: 1 }, now);
  buckets.take('a');
  for (let at = 0; at < 100; at++) assert.equal(buckets.take('a'), 1_000);
  pass(1_000);
  assert.equal(buckets.take('a'), 0);
});

test('keys do not share their tokens', () => {
  const buckets = createBuckets({ rate: 1, burst: 1 }, clock().now);
  assert.equal(buckets.take('a'), 0);
  assert.equal(buckets.take('b'), 0);
  assert.ok(buckets.take('a') > 0);
});

test('more than the burst costs the burst, so that it can ever be taken', () => {
  const { now, pass } = clock();
  const buckets = createBuckets({ rate: 1, burst: 2 }, now);
  assert.equal(buckets.take('a', 1_000), 0);
  assert.equal(buckets.take('a', 1_000), 2_000);
  pass(2_000);
  assert.equal(buckets.take('a', 1_000), 0);
});

test('a clock that goes back gives nothing and takes nothing twice', () => {
  const { now, pass } = clock();
  const buckets = createBuckets({ rate: 1, burst: 2 }, now);
  buckets.take('a');
  pass(-3_600_000);
  assert.equal(buckets.take('a'), 0, 'the second of the burst is still there');
  assert.equal(buckets.take('a'), 1_000, 'nothing came back');
  pass(1_000);
  assert.equal(buckets.take('a'), 0, 'and from then on time counts again');
});

test('a rate of nothing says to wait long, not for ever', () => {
  const buckets = createBuckets({ rate: 0, burst: 1 }, clock().now);
  buckets.take('a');
  assert.equal(buckets.take('a'), 86_400_000);
});

test('a flood of keys is forgotten, those in use are not', () => {
  const buckets = createBuckets({ rate: 0.001, burst: 1 }, clock().now, 100);
  assert.equal(buckets.take('busy'), 0);
  for (let at = 0; at < 10_000; at++) {
    buckets.take(`stranger ${at}`);
    assert.ok(buckets.size <= 102, `${buckets.size} are kept`);
    if (at % 20 === 0) assert.ok(buckets.take('busy') > 0, 'a key that is used was forgotten');
  }
});

test('names of object members are keys like any other', () => {
  const buckets = createBuckets({ rate: 1, burst: 1 }, clock().now);
  for (const key of ['__proto__', 'constructor', 'toString', '']) {
    assert.equal(buckets.take(key), 0);
    assert.ok(buckets.take(key) > 0);
  }
});

test('another rate counts at once and keeps what is there', () => {
  const { now, pass } = clock();
  const buckets = createBuckets({ rate: 1, burst: 10 }, now);
  buckets.set({ rate: 100, burst: 1 });
  assert.equal(buckets.take('a'), 0);
  assert.equal(buckets.take('a'), 10);
  pass(10);
  assert.equal(buckets.take('a'), 0);
});
