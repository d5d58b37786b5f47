import assert from 'node:assert/strict';
import { randomBytes, randomInt } from 'node:crypto';
import { test } from 'node:test';
import { createGathering } from './gather.ts';

test('what was cut in any way comes back whole, one after the other', () => {
  const gathering = createGathering();
  for (let round = 0; round < 50; round++) {
    const whole = randomBytes(randomInt(0, 100_000));
    for (let at = 0; at < whole.length; ) {
      const end = at + randomInt(0, 20_000);
      gathering.add(Buffer.from(whole.subarray(at, end)));
      at = end;
    }
    assert.equal(gathering.size, whole.length);
    assert.deepEqual(gathering.take(), whole);
  }
  assert.equal(gathering.take().length, 0);
});

test('pieces are not kept, and no piece that was handed in is written to', () => {
  const gathering = createGathering();
  const first = Buffer.from('ab__').subarray(0, 2);
  const second = Buffer.from('c');
  gathering.add(first);
  gathering.add(second);
  second.fill('x');
  assert.equal(gathering.take().toString(), 'abc');
  assert.equal(Buffer.from(first.buffer, first.byteOffset, 4).toString(), 'ab__');
});

test('a million pieces of nothing or of one byte cost what they hold', () => {
  const gathering = createGathering();
  const before = process.memoryUsage().heapUsed;
  for (let at = 0; at < 1_000_000; at++) gathering.add(Buffer.from([at & 0xff].slice(at & 1)));
  assert.equal(gathering.size, 500_000);
  // As a list they would hold more than a hundred bytes each, whatever the collector does.
  assert.ok(process.memoryUsage().heapUsed - before < 80_000_000);
  assert.equal(gathering.take().length, 500_000);
});
