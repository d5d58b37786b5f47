import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { compile, type Imports, type Instance, suspending } from '../../src/engine/engine.ts';
import type { ExternType, FuncType } from '../../src/wit/type.ts';
import type { Value } from '../../src/wit/value.ts';
import { createRandom, randomValue } from '../random-types.ts';

const read = (name: string): Uint8Array =>
  new Uint8Array(readFileSync(new URL(`../fixtures/wat/${name}.wasm`, import.meta.url)));

async function start(name: string, imports: Imports = {}): Promise<Instance> {
  const compiled = await compile(read(name));
  assert.equal(compiled.kind, 'component');
  return compiled.kind === 'component' ? compiled.instantiate(imports) : assert.fail();
}

/** The functions of an exported interface with their types. */
async function functionsOf(name: string, face: string): Promise<[string, FuncType][]> {
  const { type } = await compile(read(name));
  const item = type.exports.get(face) as ExternType;
  assert.equal(item.kind, 'instance');
  if (item.kind !== 'instance') return [];
  return [...item.type.exports].flatMap(([key, member]) =>
    member.kind === 'func' ? [[key, member.type]] : [],
  );
}

describe('values.wasm', async () => {
  const FACE = 'fixture:values/values@1.0.0';
  const instance = await start('values');
  for (const [name, type] of await functionsOf('values', FACE)) {
    if (!name.startsWith('echo-')) continue;
    it(`${name} gives back 50 random values`, () => {
      const random = createRandom(name.length * 7919);
      for (let i = 0; i < 50; i++) {
        const value = randomValue(random, type.params[0]!.type, { length: 12 });
        assert.deepEqual(plain(instance.callSync([FACE, name], [value])), plain(value));
      }
    });
  }

  it('the guest sees records, variants and flags where the canonical ABI puts them', () => {
    const call = (name: string, value: Value): Value => instance.callSync([FACE, name], [value]);
    const points = [-1, 2, 40].map((x) => ({ x, y: BigInt(x) * 10n, label: 'é' }));
    assert.equal(call('sum-points', points), 41n * 11n);
    assert.deepEqual(call('describe-shape', { tag: 'dot' }), [0, 0n, 0]);
    assert.deepEqual(call('describe-shape', { tag: 'square', val: 7 }), [2, 7n, 0]);
    assert.deepEqual(call('describe-shape', { tag: 'box', val: [9, 0.5] }), [3, 9n, 0.5]);
    const [code, bits] = call('describe-shape', { tag: 'circle', val: 1.5 }) as [number, bigint];
    assert.deepEqual([code, bits], [1, 0x3ff8000000000000n]);
    assert.equal(call('count-rights', ['read', 'seek', 'stat']), 3);
  });
});

describe('resources.wasm', () => {
  const FACE = 'fixture:counters/counters@1.0.0';

  it('counts, merges and runs destructors once', async () => {
    const instance = await start('resources');
    const call = (name: string, ...args: Value[]): Value => instance.callSync([FACE, name], args);
    const a = call('[constructor]counter', 5);
    const b = call('[constructor]counter', 10);
    assert.equal(call('[method]counter.add', a, 3), 8);
    const c = call('[static]counter.merge', a, b);
    assert.equal(call('[method]counter.value', c), 18);
    assert.equal(call('dropped'), 18);
    assert.throws(() => call('[method]counter.value', a));
  });
});

describe('composed.wasm', () => {
  it('passes strings between components with different memories and encodings', async () => {
    const instance = await start('composed');
    for (const name of ['ada', 'größe 😀', '']) {
      const shouted = name.replace(/[a-z]/g, (letter) => letter.toUpperCase());
      assert.equal(instance.callSync('greet', [name]), `${shouted}!`);
    }
  });
});

describe('encodings.wasm', () => {
  const texts = [
    '',
    'plain',
    'é',
    'naïve café',
    '€',
    'mixed é and €',
    '😀',
    'a\u0000b',
    'x'.repeat(100_000),
    'é€'.repeat(9_999),
  ];

  it('gives back every string in every encoding', async () => {
    const instance = await start('encodings');
    for (const encoding of ['utf8', 'utf16', 'latin1']) {
      for (const text of texts) assert.equal(instance.callSync(`echo-${encoding}`, [text]), text);
    }
  });

  it('shows the guest the length that its encoding has', async () => {
    const instance = await start('encodings');
    for (const text of texts) {
      const latin1 = [...text].every((char) => char.charCodeAt(0) < 256);
      assert.equal(instance.callSync('length-utf8', [text]), Buffer.byteLength(text));
      assert.equal(instance.callSync('length-utf16', [text]), text.length);
      assert.equal(instance.callSync('length-latin1', [text]), latin1 ? text.length : text.length + 2 ** 31);
    }
  });
});

describe('post-return.wasm', () => {
  it('is told when its result has been read', async () => {
    const instance = await start('post-return');
    for (let i = 0; i < 3; i++) {
      assert.equal(instance.callSync('make', []), 'made');
      assert.equal(instance.callSync('live', []), 0);
    }
  });
});

describe('async-import.wasm', () => {
  const later = <T>(value: T): Promise<T> => new Promise((resolve) => setImmediate(resolve, value));
  const store = {
    fetch: suspending((key) =>
      later(key === 'k' ? { tag: 'ok', val: 'value' } : { tag: 'err', val: `no ${key}` }),
    ),
  };

  it('is suspended until the host answers', async () => {
    const instance = await start('async-import', {
      sleep: suspending((ms) => later((ms as number) * 2)),
      'fixture:store/store@0.2.1': store,
    });
    assert.equal(await instance.call('run', [4]), 20);
    assert.deepEqual(await instance.call('get', ['k']), { tag: 'ok', val: 'value' });
    assert.deepEqual(await instance.call('get', ['q']), { tag: 'err', val: 'no q' });
    assert.throws(() => instance.callSync('run', [1]));
  });

  it('runs at once on imports that answer at once', async () => {
    const instance = await start('async-import', {
      sleep: (ms) => (ms as number) + 1,
      'fixture:store/store@0.2.0': { fetch: () => ({ tag: 'ok', val: '' }) },
    });
    assert.equal(instance.callSync('run', [3]), 9);
  });
});

describe('multi-memory.wasm', () => {
  it('lifts each function with the memory that it names', async () => {
    const instance = await start('multi-memory');
    assert.equal(instance.callSync('put', ['größe']), 7);
    assert.equal(instance.callSync('last', []), 'größe');
  });
});

describe('core modules', () => {
  it('calc.wasm and memory64.wasm are called with plain numbers', async () => {
    const calc = await compile(read('calc'));
    assert.ok(calc.kind === 'module');
    const instance = await calc.instantiate({});
    assert.equal(instance.callSync('add', [2, 3]), 5);
    assert.equal(instance.callSync('big', [3n]), 9n);
    assert.equal(instance.callSync('scale', [1.5, 2]), 3);

    const wide = await compile(read('memory64'));
    assert.ok(wide.kind === 'module');
    const memory = await wide.instantiate({});
    memory.callSync('store', [65532n, -7]);
    assert.equal(memory.callSync('load', [65532n]), -7);
    assert.equal(memory.callSync('grow', [100n]), -1n);
  });
});

describe('wasi03.wasm', () => {
  it('is refused in words', async () => {
    await assert.rejects(compile(read('wasi03')), /WASI 0\.3/);
  });
});

/** Lists of numbers may come as typed arrays; the comparison is about their contents. */
function plain(value: Value): unknown {
  if (ArrayBuffer.isView(value) && !(value instanceof DataView)) return Array.from(value as never);
  if (Array.isArray(value)) return value.map(plain);
  if (value !== null && typeof value === 'object') {
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, plain(member as Value)]));
  }
  return value;
}
