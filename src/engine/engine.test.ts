import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { bytesOf, component, isTrap, rejectsCode, start, throwsCode } from '../../test/engine-fixtures.ts';
import { createRandom, randomValue } from '../../test/random-values.ts';
import type { Value } from '../wit/value.ts';
import { type CompiledComponent, compile, coreHost, suspending, Trap } from './engine.ts';

describe('calls', () => {
  it('call() and callSync() give the same', async () => {
    const adder = await start('adder');
    assert.equal(adder.callSync('add', [2, 3]), 5);
    assert.equal(await adder.call(['add'], [0xffffffff, 1]), 0);
  });

  it('reach a function inside an exported instance by its path', async () => {
    const values = await start('values');
    assert.equal(values.callSync(['fixture:values/values@1.0.0', 'echo-s8'], [-128]), -128);
  });

  it('refuse a function that is not there, saying which', async () => {
    const adder = await start('adder');
    throwsCode(() => adder.callSync('constructor', []), 'export-missing', /"constructor"/);
    await rejectsCode(adder.call(['add', 'add'], []), 'export-missing');
  });

  it('refuse wrong arguments and leave the instance usable', async () => {
    const adder = await start('adder');
    throwsCode(() => adder.callSync('add', [1]), 'value-mismatch', /1 values/);
    throwsCode(() => adder.callSync('add', [1, -1]), 'value-mismatch', /-1 as u32/);
    assert.equal(adder.callSync('add', [1, 1]), 2);
  });

  it('fail after dispose()', async () => {
    const adder = await start('adder');
    adder.dispose();
    throwsCode(() => adder.callSync('add', [1, 1]), 'export-missing');
  });

  it('carry strings in every encoding, and grow the memory on the way', async () => {
    const echo = await start('encodings');
    for (const text of ['', 'plain', 'naïve', '日本語 😀', 'x'.repeat(100_000), 'é€'.repeat(40_000)]) {
      for (const name of ['echo-utf8', 'echo-utf16', 'echo-latin1']) {
        assert.equal(echo.callSync(name, [text]), text);
      }
    }
    assert.equal(echo.callSync('length-utf8', ['é']), 2);
    assert.equal(echo.callSync('length-utf16', ['é']), 1);
    assert.equal(echo.callSync('length-latin1', ['é']), 1);
    assert.equal(echo.callSync('length-latin1', ['€']), 0x8000_0001);
  });

  it('give back any value of every type that a guest echoes', async () => {
    const face = 'fixture:values/values@1.0.0';
    const compiled = await component('values');
    const values = await compiled.instantiate();
    const exports = compiled.type.exports.get(face);
    assert.ok(exports?.kind === 'instance');
    const random = createRandom(3);
    let tried = 0;
    for (const [name, item] of exports.type.exports) {
      if (item.kind !== 'func' || !name.startsWith('echo-')) continue;
      for (let i = 0; i < 40; i++, tried++) {
        const args: Value[] = item.type.params.map(({ type }) => randomValue(random, type));
        assert.deepEqual(values.callSync([face, name], args), args[0], name);
      }
    }
    assert.ok(tried > 1000);
  });

  it('run post-return after the result has been read', async () => {
    const guest = await start('post-return');
    assert.equal(guest.callSync('make', []), 'made');
    assert.equal(guest.callSync('live', []), 0);
  });

  it('use the memory that each function names', async () => {
    const guest = await start('multi-memory');
    assert.equal(guest.callSync('put', ['héllo']), 6);
    assert.equal(guest.callSync('last', []), 'héllo');
  });

  it('cross from one component into another, memory and encoding changing', async () => {
    const guest = await start('composed');
    assert.equal(guest.callSync('greet', ['wörld']), 'WöRLD!');
    assert.equal(await guest.call('greet', ['again']), 'AGAIN!');
  });

  it('do not mix instances of one component', async () => {
    const compiled = await component('link-bridge');
    const [a, b] = await Promise.all([
      compiled.instantiate({ wait: () => 1 }),
      compiled.instantiate({ wait: () => 2 }),
    ]);
    assert.deepEqual([a.callSync('first', []), b.callSync('first', [])], [1, 2]);
  });
});

describe('core modules', () => {
  it('export their functions on numbers, with the names of parameters', async () => {
    const calc = await compile(bytesOf('calc'));
    assert.equal(calc.kind, 'module');
    assert.deepEqual([...calc.type.exports.keys()], ['add', 'scale', 'big', 'nothing']);
    const add = calc.type.exports.get('add');
    assert.deepEqual(add?.kind === 'func' && add.type.params.map(({ name }) => name), ['left', 'right']);
    const instance = await calc.instantiate();
    assert.equal(instance.callSync('add', [2, -3]), -1);
    assert.equal(await instance.call('scale', [1.5, 2]), 3);
    assert.equal(instance.callSync('big', [-(2n ** 40n)]), 0n);
    assert.equal(instance.callSync('nothing', []), undefined);
    throwsCode(() => instance.callSync('add', [2n, 3]), 'value-mismatch');
    throwsCode(() => instance.callSync('swap', [1, 2]), 'export-missing');
  });

  it('with 64-bit memories work', async () => {
    const instance = await (await compile(bytesOf('memory64'))).instantiate();
    instance.callSync('store', [16n, 7]);
    assert.equal(instance.callSync('load', [16n]), 7);
    assert.throws(() => instance.callSync('load', [2n ** 40n]), isTrap('memory'));
    assert.throws(() => instance.callSync('load', [0n]), isTrap('reentrance'));
  });

  /** `(module (import "env" "put" (func (param i32))) (memory (export "memory") 1) (func (export "run") …))` */
  const PUTTING = Uint8Array.from([
    ...[
      0, 97, 115, 109, 1, 0, 0, 0, 1, 8, 2, 96, 1, 127, 0, 96, 0, 0, 2, 11, 1, 3, 101, 110, 118, 3, 112, 117,
      116,
    ],
    ...[
      0, 0, 3, 2, 1, 1, 5, 3, 1, 0, 1, 7, 16, 2, 6, 109, 101, 109, 111, 114, 121, 2, 0, 3, 114, 117, 110, 0,
      1,
    ],
    ...[10, 8, 1, 6, 0, 65, 8, 16, 0, 11],
  ]);

  it('give their memory to host functions, which may suspend', async () => {
    const compiled = await compile(PUTTING);
    assert.ok(compiled.kind === 'module');
    assert.deepEqual(
      compiled.coreImports.map(({ module, name }) => `${module} ${name}`),
      ['env put'],
    );
    for (const wrap of [(f: (at: number | bigint) => number) => f, suspending]) {
      const env = coreHost((cx) => ({
        put: wrap((at: unknown) => {
          new Uint8Array(cx.memory.buffer)[at as number] = 42;
          return 0;
        }) as never,
      }));
      const instance = await compiled.instantiate({ env });
      await instance.call('run', []);
      assert.equal(new Uint8Array(instance.memory!.buffer)[8], 42);
    }
    await rejectsCode(compiled.instantiate({}), 'import-missing', /env put/);
  });
});

describe('loading', () => {
  it('refuses what is no WebAssembly, saying what it is', async () => {
    const html = new TextEncoder().encode('<!doctype html><html></html>');
    await rejectsCode(compile(html), 'wasm-expected', /HTML/);
    await rejectsCode(compile(new Uint8Array()), 'wasm-expected', /empty/);
    await rejectsCode(compile(bytesOf('adder').subarray(0, 60)), 'wasm-malformed');
  });

  it('refuses a core module that V8 refuses, with its place', async () => {
    const bytes = bytesOf('adder').slice();
    const at = bytes.findIndex((byte, i) => byte === 0x6a && bytes[i + 1] === 0x0b);
    bytes[at] = 0x7c;
    await rejectsCode(compile(bytes), 'component-invalid', /byte \d+.*f64|i64/);
  });

  it('caps memories and counts instances', async () => {
    const [small, none] = [{ memoryBytes: 65536 * 2 }, { totalInstances: 1 }];
    const echo = (await compile(bytesOf('encodings'), small)) as CompiledComponent;
    const guest = await echo.instantiate();
    assert.throws(() => guest.callSync('echo-utf8', ['x'.repeat(200_000)]), Trap);
    await rejectsCode(compile(bytesOf('encodings'), { memoryBytes: 1000 }), 'guest-over-limit');
    await rejectsCode(compile(bytesOf('encodings'), { moduleBytes: 100 }), 'wasm-limit');
    const few = (await compile(bytesOf('adder'), none)) as CompiledComponent;
    await rejectsCode(few.instantiate(), 'too-many-instances');
  });
});
