import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLineReader } from './lines.ts';

function read(maxBytes: number, ...chunks: string[]) {
  const seen: string[] = [];
  const reader = createLineReader(
    maxBytes,
    (line) => seen.push(line.toString()),
    () => seen.push('TOO LONG'),
  );
  for (const chunk of chunks) reader.push(Buffer.from(chunk));
  reader.end();
  return seen;
}

test('lines are put together from any cut', () => {
  assert.deepEqual(read(10, 'a', 'b\nc', 'd\n\ne'), ['ab', 'cd', '', 'e']);
});

test('a line of exactly the limit passes, one byte more is reported once and dropped to its end', () => {
  assert.deepEqual(read(4, '1234\n', '12', '34\n'), ['1234', '1234']);
  assert.deepEqual(read(4, '12345\nok\n'), ['TOO LONG', 'ok']);
  assert.deepEqual(read(4, '123', '45', '6789', '\nok'), ['TOO LONG', 'ok']);
});

test('what is dropped is not kept in memory', () => {
  const reader = createLineReader(
    1_000,
    () => {},
    () => {},
  );
  const chunk = Buffer.alloc(1 << 20, 'x');
  const before = process.memoryUsage().arrayBuffers;
  for (let round = 0; round < 200; round += 1) reader.push(chunk);
  assert.ok(process.memoryUsage().arrayBuffers - before < 50 << 20);
});
