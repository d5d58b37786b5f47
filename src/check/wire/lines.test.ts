import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLineSplitter } from './lines.ts';

function split(chunks: readonly Uint8Array[]) {
  const seen = { lines: [] as string[], invalid: 0, endless: 0 };
  const splitter = createLineSplitter({
    line: (text) => seen.lines.push(text),
    invalidUtf8: () => seen.invalid++,
    endless: () => seen.endless++,
  });
  for (const chunk of chunks) splitter.push(chunk);
  splitter.finish();
  return seen;
}

test('lines come out whole, wherever the bytes are cut', () => {
  const lines = ['', 'a', 'grüße-日本-😀', '{"x":1}\r', '', 'x'.repeat(100), 'last'];
  const bytes = Buffer.from(lines.join('\n'));
  let seed = 7;
  for (let round = 0; round < 500; round++) {
    const chunks: Uint8Array[] = [];
    for (let at = 0; at < bytes.length; ) {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      const size = 1 + (seed % 17);
      chunks.push(bytes.subarray(at, at + size));
      at += size;
    }
    assert.deepEqual(split(chunks), { lines, invalid: 0, endless: 0 });
  }
});

test('bytes that are not UTF-8 are noticed, and the line is still read', () => {
  const { lines, invalid } = split([Buffer.from([0x61, 0xff, 0x0a, 0x62, 0x0a])]);
  assert.equal(invalid, 1);
  assert.deepEqual(lines, ['a\ufffd', 'b']);
});

test('a line without end is told once and not collected', () => {
  const chunk = Buffer.alloc(1 << 20, 'a');
  const seen = split(Array.from({ length: 64 }, () => chunk));
  assert.deepEqual(seen, { lines: [], invalid: 0, endless: 1 });
});
