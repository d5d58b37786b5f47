import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { component, type Part, section } from '../../../test/wasm/bytes.ts';
import { decodeComponent } from './component.ts';

const CANON = 8;
const T = 5;
const OPTIONS = [1, 0x03, 7];

/** Opcode with immediates, as the specification lists them, and what each decodes to. */
const BUILTINS: [Part, string, { type?: number; immediates?: unknown[]; options?: true; result?: string }][] =
  [
    [[0x05], 'task.cancel', {}],
    [[0x06, 1], 'subtask.cancel', { immediates: [true] }],
    [[0x09, 0, 0x73, OPTIONS], 'task.return', { result: 'string', options: true }],
    [[0x0a, 0x7f, 1], 'context.get', { immediates: ['i32', 1] }],
    [[0x0b, 0x7e, 0], 'context.set', { immediates: ['i64', 0] }],
    [[0x0c, 0], 'thread.yield', { immediates: [false] }],
    [[0x0d], 'subtask.drop', {}],
    [[0x0e, T], 'stream.new', { type: T }],
    [[0x0f, T, OPTIONS], 'stream.read', { type: T, options: true }],
    [[0x10, T, OPTIONS], 'stream.write', { type: T, options: true }],
    [[0x11, T, 0], 'stream.cancel-read', { type: T, immediates: [false] }],
    [[0x12, T, 1], 'stream.cancel-write', { type: T, immediates: [true] }],
    [[0x13, T], 'stream.drop-readable', { type: T }],
    [[0x14, T], 'stream.drop-writable', { type: T }],
    [[0x15, T], 'future.new', { type: T }],
    [[0x16, T, OPTIONS], 'future.read', { type: T, options: true }],
    [[0x17, T, OPTIONS], 'future.write', { type: T, options: true }],
    [[0x18, T, 0], 'future.cancel-read', { type: T, immediates: [false] }],
    [[0x19, T, 1], 'future.cancel-write', { type: T, immediates: [true] }],
    [[0x1a, T], 'future.drop-readable', { type: T }],
    [[0x1b, T], 'future.drop-writable', { type: T }],
    [[0x1c, OPTIONS], 'error-context.new', { options: true }],
    [[0x1d, OPTIONS], 'error-context.debug-message', { options: true }],
    [[0x1e], 'error-context.drop', {}],
    [[0x1f], 'waitable-set.new', {}],
    [[0x20, 1, 2], 'waitable-set.wait', { immediates: [true, 2] }],
    [[0x21, 0, 2], 'waitable-set.poll', { immediates: [false, 2] }],
    [[0x22], 'waitable-set.drop', {}],
    [[0x23], 'waitable.join', {}],
    [[0x24], 'backpressure.inc', {}],
    [[0x25], 'backpressure.dec', {}],
    [[0x26], 'thread.index', {}],
    [[0x27, 1, 2], 'thread.new-indirect', { immediates: [1, 2] }],
    [[0x28], 'thread.resume-later', {}],
    [[0x29, 1], 'thread.suspend', { immediates: [true] }],
    [[0x2a, 0], 'thread.suspend-then-resume', { immediates: [false] }],
    [[0x2b, 0], 'thread.yield-then-resume', { immediates: [false] }],
    [[0x2c, 0], 'thread.suspend-then-promote', { immediates: [false] }],
    [[0x2d, 1], 'thread.yield-then-promote', { immediates: [true] }],
    [[0x40, 1, 3], 'thread.spawn-ref', { immediates: [true, 3] }],
    [[0x41, 0, 3, 4], 'thread.spawn-indirect', { immediates: [false, 3, 4] }],
    [[0x42, 0], 'thread.available-parallelism', { immediates: [false] }],
  ];

describe('canonical built-ins of WASI 0.3', () => {
  for (const [bytes, name, expected] of BUILTINS) {
    it(`decodes ${name}`, () => {
      // A second definition shows that the first took all its immediates and no more.
      const [first, second] = decodeComponent(component(section(CANON, 2, bytes, [0x05]))).definitions;
      assert.ok(first?.kind === 'canon' && first.canon.kind === 'builtin');
      const { options, ...rest } = first.canon;
      const { type = null, immediates = [], result = null } = expected;
      assert.deepEqual(rest, { kind: 'builtin', name, type, immediates, result });
      assert.equal(options?.memory ?? null, expected.options ? 7 : null);
      assert.ok(second?.kind === 'canon');
    });
  }

  it('knows no other opcode', () => {
    const known = new Set([0, 1, 2, 3, 4, ...BUILTINS.map(([bytes]) => (bytes as number[])[0])]);
    for (let opcode = 0; opcode < 256; opcode++) {
      if (known.has(opcode)) continue;
      assert.throws(() => decodeComponent(component(section(CANON, 1, opcode, 0, 0, 0, 0))), {
        code: 'wasm-malformed',
      });
    }
  });
});

it('resource functions decode with their type', () => {
  const { definitions } = decodeComponent(component(section(CANON, 2, [0x02, T], [0x04, T])));
  assert.deepEqual(
    definitions.map((definition) => definition.kind === 'canon' && definition.canon),
    [
      { kind: 'resource.new', type: T },
      { kind: 'resource.rep', type: T },
    ],
  );
});
