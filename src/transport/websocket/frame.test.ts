import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFrameReader, FrameError, OPCODE, writeFrame } from './frame.ts';

/** What a client would send: the server's own frame with a mask. */
function masked(payload: Buffer, opcode: number = OPCODE.text): Buffer {
  const plain = writeFrame(opcode, payload);
  const head = plain.subarray(0, plain.length - payload.length);
  head[1] = head[1]! | 0x80;
  const mask = Buffer.from([1, 2, 3, 4]);
  return Buffer.concat([head, mask, payload.map((byte, at) => byte ^ mask[at & 3]!)]);
}

test('frames of every length form come back as they were, whatever way they are cut', () => {
  for (const length of [0, 1, 125, 126, 65_535, 65_536]) {
    const payload = Buffer.alloc(length, 'ab');
    const bytes = Buffer.concat([masked(payload), masked(Buffer.from('next'))]);
    for (const step of [1, 7, bytes.length]) {
      if (step === 1 && length > 1_000) continue;
      const reader = createFrameReader(1 << 20);
      const frames = [];
      for (let at = 0; at < bytes.length; at += step)
        frames.push(...reader.push(bytes.subarray(at, at + step)));
      assert.deepEqual(
        frames.map((frame) => frame.payload),
        [payload, Buffer.from('next')],
      );
    }
  }
});

test('a frame that announces more than the limit is refused before its bytes come', () => {
  const head = masked(Buffer.alloc(70_000)).subarray(0, 14);
  assert.throws(
    () => createFrameReader(65_536).push(head),
    (error) => (error as FrameError).closeCode === 1009,
  );
  const huge = Buffer.from([0x81, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0]);
  assert.throws(() => createFrameReader(65_536).push(huge), FrameError);
});
