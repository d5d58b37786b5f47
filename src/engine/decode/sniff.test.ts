import assert from 'node:assert/strict';
import { it } from 'node:test';
import { component, module } from '../../../test/wasm/bytes.ts';
import { sniff } from './sniff.ts';

const text = (value: string): Uint8Array => new TextEncoder().encode(value);

it('sniff() tells components from core modules', () => {
  assert.equal(sniff(component()), 'component');
  assert.equal(sniff(module()), 'module');
});

for (const [bytes, not] of [
  [text(''), 'empty'],
  [text('\uFEFF  <html lang="en">'), 'html'],
  [text('<?xml version="1.0"?><Error/>'), 'html'],
  [text(';; a comment\n(module)'), 'wat'],
  [text('package a:b;'), 'wit'],
  [text('{"errors":[]}'), 'json'],
  [text('\0as'), 'truncated'],
  [text('\0asm\x01\0\0'), 'truncated'],
  [text('\0asm\x02\0\0\0'), 'version'],
  [Uint8Array.of(0x1f, 0x8b, 8), 'gzip'],
  [text('PK\x03\x04'), 'zip'],
  [text('\x7fELF'), 'elf'],
  [Uint8Array.of(0xff, 0xfe, 0), 'unknown'],
] as const) {
  it(`sniff() recognises ${not}: ${JSON.stringify(String.fromCharCode(...bytes.subarray(0, 12)))}`, () => {
    assert.deepEqual(sniff(bytes), { not });
  });
}
