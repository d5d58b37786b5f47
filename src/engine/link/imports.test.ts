import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { bytesOf, component, rejectsCode, start } from '../../../test/engine-fixtures.ts';
import { type Compiled, compile, type Imports } from '../engine.ts';
import { canonicalName } from './import-name.ts';

describe('canonicalName()', () => {
  const names = [
    ['wasi:io/streams@0.2.6', 'wasi:io/streams@0.2'],
    ['a:b/c@1.4.2', 'a:b/c@1'],
    ['a:b/c@0.0.3', 'a:b/c@0.0.3'],
    ['a:b/c@1.0.0-rc.1', 'a:b/c@1.0.0-rc.1'],
    ['a:b/c', 'a:b/c'],
  ] as const;
  for (const [name, canonical] of names) {
    it(`of ${name} is ${canonical}`, () => assert.equal(canonicalName(name), canonical));
  }
});

describe('imports', () => {
  const hostThings = { 'fixture:host/things@1.0.0': {} };

  it('that are missing are named', async () => {
    await rejectsCode(start('link-bridge'), 'import-missing', /"wait".*was not found/);
    await rejectsCode(start('link-lend'), 'import-missing', /things@1\.2\.0/);
    await rejectsCode(start('link-lend', hostThings), 'import-missing', /thing/);
  });

  it('of a wrong kind are refused', async () => {
    await rejectsCode(start('link-bridge', { wait: {} }), 'import-mismatch', /expected func found instance/);
    const thing = () => undefined;
    const given = { 'fixture:host/things@1.2.0': { thing } };
    await rejectsCode(start('link-lend', given), 'import-mismatch', /expected resource found func/);
  });

  it('are found under a compatible version only', async () => {
    await rejectsCode(
      start('async-import', { sleep: () => 0, 'fixture:store/store@0.3.0': {} }),
      'import-missing',
    );
    await rejectsCode(
      start('async-import', { sleep: () => 0, 'fixture:store/store@1.0.0': {} }),
      'import-missing',
    );
    const found = {
      sleep: () => 0,
      'fixture:store/store@0.2.99': { fetch: () => ({ tag: 'ok', val: 'x' }) },
    };
    assert.ok(await start('async-import', found));
  });

  it('are never taken from a prototype', async () => {
    const inherited = Object.create({ wait: () => 1 }) as Imports;
    await rejectsCode(start('link-bridge', inherited), 'import-missing');
  });

  it('may be instances, components and modules made by the engine, and are checked by type', async () => {
    const adder = await component('adder');
    const maths = await adder.instantiate();
    const code = (await compile(bytesOf('link-seven'))) as Compiled;
    const sum = await start('link-adders', { maths, code, adder });
    assert.equal(sum.callSync('sum', [1, 2]), 10);
    assert.equal(sum.callSync(['own', 'add'], [1, 2]), 3);
    assert.equal(
      (await start('link-adders', { maths: maths.exports, code, adder })).callSync('sum', [1, 2]),
      10,
    );
    const wrong = await start('encodings');
    await rejectsCode(start('link-adders', { maths: wrong, code, adder }), 'import-missing', /maths add/);
    await rejectsCode(
      start('link-adders', { maths, code: adder, adder }),
      'import-mismatch',
      /found component/,
    );
    const other = await component('encodings');
    await rejectsCode(start('link-adders', { maths, code, adder: other }), 'import-mismatch', /"add"/);
    const calc = await compile(bytesOf('calc'));
    await rejectsCode(start('link-adders', { maths, code: calc, adder }), 'import-mismatch', /seven/);
    const plain = new WebAssembly.Module(bytesOf('link-seven'));
    assert.equal((await start('link-adders', { maths, code: plain, adder })).callSync('sum', [1, 2]), 10);
  });
});
