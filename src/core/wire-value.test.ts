// The value codec: what is written is read again, and bytes of anybody's making are read or refused, never more.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WitboxError } from './errors.ts';
import type { WireValue } from './port.ts';
import { decodeWire, encodeWire } from './wire-value.ts';

/** A small deterministic generator, so that a failure can be repeated from its seed. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

const SAMPLES: readonly WireValue[] = [
  null,
  true,
  false,
  0,
  127,
  128,
  -1,
  -0,
  2 ** 31,
  -(2 ** 31),
  2 ** 50,
  2 ** 53,
  -(2 ** 53),
  0.5,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  0n,
  -1n,
  2n ** 64n,
  -(2n ** 64n) + 1n,
  '',
  'read',
  'ä',
  '€'.repeat(100),
  '😀',
  'a'.repeat(5000),
  new Uint8Array(0),
  new Uint8Array([0, 255]),
];

function grow(next: () => number, depth: number): WireValue {
  const kind = next();
  if (depth === 0 || kind < 0.5) return SAMPLES[Math.floor(next() * SAMPLES.length)] as WireValue;
  const items = Array.from({ length: Math.floor(next() * 6) }, () => grow(next, depth - 1));
  if (kind < 0.75) return items;
  const names = ['__proto__', 'constructor', 'a', 'länge', 'x y', ''];
  return Object.fromEntries(items.map((item, i) => [names[i] as string, item]));
}

/** Objects that were read have no prototype; for comparison give both sides the same. */
function plain(value: WireValue): unknown {
  if (value instanceof Uint8Array) return [...value];
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).map(([key, item]) => [key, plain(item as WireValue)]);
  }
  return value;
}

test('every value comes back as it was', () => {
  const next = random(1);
  for (const sample of SAMPLES) assert.deepStrictEqual(plain(decodeWire(encodeWire(sample))), plain(sample));
  for (let i = 0; i < 3000; i++) {
    const value = grow(next, 4);
    assert.deepStrictEqual(plain(decodeWire(encodeWire(value))), plain(value));
  }
});

test('a key named __proto__ is data', () => {
  const value = decodeWire(encodeWire(JSON.parse('{"__proto__": {"polluted": 1}}') as WireValue));
  assert.equal(Object.getPrototypeOf(value), null);
  assert.equal('polluted' in {}, false);
});

test('bytes that were cut, changed or invented are read or refused with wire-malformed', () => {
  const next = random(2);
  let refused = 0;
  for (let i = 0; i < 20_000; i++) {
    const bytes = Uint8Array.from(encodeWire(grow(next, 3)));
    const changes = 1 + Math.floor(next() * 4);
    for (let c = 0; c < changes; c++) bytes[Math.floor(next() * bytes.length)] = Math.floor(next() * 256);
    const cut = next() < 0.3 ? bytes.subarray(0, Math.floor(next() * bytes.length)) : bytes;
    try {
      decodeWire(cut);
    } catch (error) {
      assert.ok(error instanceof WitboxError && error.code === 'wire-malformed', String(error));
      refused++;
    }
  }
  assert.ok(refused > 1000);
});

const refusals: readonly (readonly [string, readonly number[]])[] = [
  ['nothing at all', []],
  ['an unknown tag', [10]],
  ['an array that promises more than there is', [8, 200, 1, 0]],
  ['text that goes beyond the end', [6, 5, 97]],
  ['text that is not UTF-8', [6, 2, 0xc3, 0x28]],
  ['a length of nine bytes', [7, 255, 255, 255, 255, 255, 255, 255, 255, 1]],
  ['a length with a needless zero', [7, 0x80, 0]],
  ['a key that comes twice', [9, 2, 1, 97, 0, 1, 97, 0]],
  ['bytes left over', [0, 0]],
  ['half a float', [4, 0, 0]],
  ['an integer without a sign', [5, 2, 1, 1]],
  ['nesting without end', Array.from({ length: 400 }, () => [8, 1]).flat()],
];
for (const [what, bytes] of refusals) {
  test(`the reader refuses ${what}`, () => {
    assert.throws(
      () => decodeWire(Uint8Array.from(bytes)),
      (error) => error instanceof WitboxError && error.code === 'wire-malformed',
    );
  });
}

test('the reader refuses more values than anything honest has', () => {
  const count = 1 << 18;
  const bytes = new Uint8Array(count + 4);
  bytes.set([8, 0x80, 0x80, 0x10]);
  assert.throws(() => decodeWire(bytes), /too many values/);
});

test('what cannot cross is refused by the writer', () => {
  assert.throws(() => encodeWire(undefined as unknown as WireValue), TypeError);
  assert.throws(() => encodeWire((() => 1) as unknown as WireValue), TypeError);
});
