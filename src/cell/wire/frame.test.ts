// Frames split out of a stream, however the stream is cut.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WitboxError } from '../../core/errors.ts';
import { WireWriter } from '../../core/wire-value.ts';
import { beginFrame, createFrameSplitter, endFrame } from './frame.ts';

function written(): Buffer {
  const writer = new WireWriter();
  for (let i = 0; i < 40; i++) {
    const at = beginFrame(writer, i + 1, i * 1000);
    writer.raw(Buffer.alloc(i * i, i));
    endFrame(writer, at);
  }
  return writer.bytes.subarray(0, writer.length);
}

test('frames come out whole and in order, whatever the pieces', () => {
  const stream = written();
  for (const size of [1, 2, 3, 8, 9, 10, 64, 1000, stream.length]) {
    const seen: number[] = [];
    const splitter = createFrameSplitter(1600, (kind, call, bytes, start, end) => {
      assert.equal(call, (kind - 1) * 1000);
      assert.deepEqual([...bytes.subarray(start, end)], Array((kind - 1) ** 2).fill(kind - 1));
      seen.push(kind);
    });
    // One buffer for all reads, as the cell has it: what is kept must have been copied.
    const reused = Buffer.alloc(size);
    for (let at = 0; at < stream.length; at += size) {
      const length = stream.copy(reused, 0, at, at + size);
      splitter.push(reused.subarray(0, length));
    }
    assert.deepEqual(
      seen,
      Array.from({ length: 40 }, (_, i) => i + 1),
    );
  }
});

test('a frame beyond the limit is refused at its header, also when the header comes in pieces', () => {
  const header = Buffer.alloc(9);
  header.writeUInt32LE(101, 0);
  for (const cut of [0, 3, 8]) {
    const splitter = createFrameSplitter(100, () => assert.fail('no frame'));
    splitter.push(header.subarray(0, cut));
    assert.throws(
      () => splitter.push(header.subarray(cut)),
      (error) => error instanceof WitboxError && error.code === 'wire-malformed',
    );
  }
});
