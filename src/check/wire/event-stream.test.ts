import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createEventReader, type ServerEvent } from './event-stream.ts';

function read(...pieces: string[]): ServerEvent[] {
  const events: ServerEvent[] = [];
  const push = createEventReader((event) => events.push(event));
  for (const piece of pieces) push(piece);
  return events;
}

describe('an event stream', () => {
  test('has events of type message unless it says otherwise', () => {
    assert.deepEqual(read('data: a\n\nevent: endpoint\ndata: /b\n\n'), [
      { event: 'message', data: 'a' },
      { event: 'endpoint', data: '/b' },
    ]);
  });
  test('joins data lines, takes one space away and ignores comments and unknown fields', () => {
    assert.deepEqual(read(': hello\ndata:  a\ndata:b\ndata\nfoo: bar\n\n'), [
      { event: 'message', data: ' a\nb\n' },
    ]);
  });
  test('tells ids and retry times, also of events without data', () => {
    assert.deepEqual(read('id: 7\ndata: \n\nid: 8\n\nretry: 500\n\nretry: soon\n\n'), [
      { event: 'message', data: '', id: '7' },
      { event: 'message', data: '', id: '8' },
      { event: 'message', data: '', retry: 500 },
    ]);
  });
  test('may end lines with LF, CR LF or CR', () => {
    for (const end of ['\n', '\r\n', '\r'])
      assert.equal(read(`data: a${end}${end}data: b${end}${end}:${end}`).length, 2, JSON.stringify(end));
  });
  test('may begin with a byte order mark', () => {
    assert.deepEqual(read('\ufeffdata: a\n\n'), [{ event: 'message', data: 'a' }]);
  });
  test('without end is refused', () => {
    const push = createEventReader(() => {});
    assert.throws(() => {
      for (;;) push('a'.repeat(1 << 20));
    }, /without end/);
  });
});

test('it does not matter where the stream is cut', () => {
  const text =
    'id: 1\r\ndata: {"a":"ü"}\r\n\r\n: keep\n\nevent: x\ndata: 1\ndata: 2\n\nretry: 3\n\ndata: z\r\rdata: last\n\n';
  const whole = read(text);
  let seed = 1;
  const random = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed % below;
  };
  for (let round = 0; round < 500; round++) {
    const pieces: string[] = [];
    for (let at = 0; at < text.length; ) {
      const size = 1 + random(9);
      pieces.push(text.slice(at, at + size));
      at += size;
    }
    assert.deepEqual(read(...pieces), whole, JSON.stringify(pieces));
  }
});
