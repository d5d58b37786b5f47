import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { compile } from '../../src/engine/engine.ts';
import type { Value } from '../../src/wit/value.ts';
import { closedImports } from '../toolchain/closed-imports.ts';
import { missingGuest, readGuest } from '../toolchain/guests.ts';

const FACE = 'fixture:guest/text@1.0.0';

for (const name of ['c', 'rust', 'qjs', 'starling']) {
  describe(`the ${name} guest`, { skip: missingGuest(name) }, () => {
    it('counts, reverses, parses and classifies, given no world at all', async () => {
      const compiled = await compile(readGuest(name)!);
      assert.ok(compiled.kind === 'component');
      const instance = await compiled.instantiate(closedImports(compiled.type));
      const call = (func: string, value: Value): Value => instance.callSync([FACE, func], [value]);
      assert.deepEqual(call('count-words', 'The cat, the DOG: the 2 ends — é'), [
        { word: 'the', times: 3 },
        { word: 'cat', times: 1 },
        { word: 'dog', times: 1 },
        { word: '2', times: 1 },
        { word: 'ends', times: 1 },
      ]);
      assert.deepEqual(call('count-words', ''), []);
      assert.equal(call('reverse', 'añ€😀'), '😀€ña');
      assert.equal(call('reverse', ''), '');
      assert.deepEqual(call('parse', '-123456789'), { tag: 'ok', val: -123456789 });
      assert.deepEqual(call('parse', '12x'), { tag: 'err', val: '12x' });
      assert.deepEqual(call('classify', -5), { tag: 'negative', val: -5 });
      assert.deepEqual(call('classify', 0), { tag: 'zero' });
      assert.deepEqual(call('classify', 2 ** 30), { tag: 'positive', val: 2 ** 30 });
    });
  });
}

describe('the rust-large guest', { skip: missingGuest('rust-large') }, () => {
  it('assembles, checks and prints WebAssembly', async () => {
    const compiled = await compile(readGuest('rust-large')!);
    assert.ok(compiled.kind === 'component');
    const instance = await compiled.instantiate(closedImports(compiled.type));
    const call = (func: string, value: Value): Value =>
      instance.callSync(['fixture:large/assembler@1.0.0', func], [value]);
    const assembled = call('assemble', '(module (func (export "f")))') as { tag: string; val: Uint8Array };
    assert.equal(assembled.tag, 'ok');
    assert.ok(WebAssembly.validate(assembled.val));
    assert.deepEqual(call('check', assembled.val), { tag: 'ok' });
    assert.match((call('print', assembled.val) as { val: string }).val, /\(export "f" \(func 0\)\)/);
    assert.match((call('assemble', '(module') as { val: string }).val, /expected/);
  });
});
