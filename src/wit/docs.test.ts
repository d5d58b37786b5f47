import assert from 'node:assert/strict';
import { test } from 'node:test';
import { funcDocs, mergeToolDocs, parsePackageDocs } from './docs.ts';
import type { FuncType } from './type.ts';

const section = (json: unknown, version = 1): Uint8Array =>
  Buffer.concat([Uint8Array.of(version), Buffer.from(JSON.stringify(json))]);

const sample = {
  docs: 'A package',
  worlds: {
    guest: {
      func_exports: { run: { docs: 'Runs', stability: { stable: { since: '1.0.0' } } } },
      interface_exports: { inner: { funcs: { f: { docs: 'Inner f' } } } },
      types: { local: { docs: 'A local type', items: { a: 'First', b: 5 } } },
    },
    older: { funcs: { old: 'Old' } },
  },
  interfaces: {
    ops: {
      funcs: { '[method]counter.up': { docs: 'Counts up' } },
      types: { mode: { items: { fast: 'Quick' } } },
    },
  },
};

test('docs of functions are found in worlds and interfaces, of both versions of the section', () => {
  for (const version of [0, 1]) {
    const docs = parsePackageDocs(section(sample, version))!;
    assert.equal(docs.docs, 'A package');
    assert.equal(docs.func(null, 'run'), 'Runs');
    assert.equal(docs.func(null, 'old'), 'Old');
    assert.equal(docs.func('inner', 'f'), 'Inner f');
    assert.equal(docs.func('example:pkg/ops@1.0.0', '[method]counter.up'), 'Counts up');
    assert.equal(docs.func('example:pkg/ops@1.0.0', 'run'), undefined);
  }
});

test('docs of types carry the words about their parts', () => {
  const docs = parsePackageDocs(section(sample))!;
  assert.deepEqual(docs.type(null, 'local'), { docs: 'A local type', items: new Map([['a', 'First']]) });
  assert.deepEqual(docs.type('a:b/ops', 'mode'), { docs: undefined, items: new Map([['fast', 'Quick']]) });
  assert.equal(docs.type(null, 'constructor'), undefined);
  assert.equal(docs.func(null, 'constructor'), undefined);
});

test('a section that is broken, of another version or too long gives nothing', () => {
  assert.equal(parsePackageDocs(new Uint8Array()), null);
  assert.equal(parsePackageDocs(section(sample, 2)), null);
  assert.equal(parsePackageDocs(Buffer.from('\u0001{"docs":')), null);
  assert.equal(parsePackageDocs(Uint8Array.of(1, 0x22, 0xff, 0x22)), null);
  assert.equal(parsePackageDocs(section({ docs: 'x'.repeat(5_000_000) })), null);
});

test('a section of the wrong form is read as far as it has the form', () => {
  for (const json of [
    null,
    5,
    [],
    { worlds: 5, interfaces: [] },
    { worlds: { w: { func_exports: { run: [] } } } },
  ]) {
    const docs = parsePackageDocs(section(json))!;
    assert.equal(docs.func(null, 'run'), undefined);
    assert.equal(docs.type('a:b/c', 't'), undefined);
  }
});

test('text is bounded and has no hidden characters', () => {
  const hostile = `Adds\u001b[31m \u202enumbers\u{e0041}\u200b\r\n\u0000now${'x'.repeat(20_000)}`;
  const docs = parsePackageDocs(section({ worlds: { w: { func_exports: { run: { docs: hostile } } } } }))!;
  const text = docs.func(null, 'run')!;
  assert.equal(text.length, 8192);
  assert.match(text, /^Adds\[31m numbers\nnowxxx.*x…$/s);
});

test('parameters described in a list are found', () => {
  const func: FuncType = {
    params: [
      { name: 'left', type: { kind: 'u8' } },
      { name: 'right', type: { kind: 'u8' } },
    ],
    result: null,
    async: false,
  };
  const text = 'Adds\n\n- `left`: the first\n* right - the second\n- other: nothing';
  const params = new Map([
    ['left', 'the first'],
    ['right', 'the second'],
  ]);
  assert.deepEqual(funcDocs(text, func), { description: text, params });
  assert.deepEqual(funcDocs('@param left the first', func).params, new Map([['left', 'the first']]));
  assert.deepEqual(funcDocs(undefined, func), {});
});

test('later docs win, parameter by parameter', () => {
  const merged = mergeToolDocs(
    {
      description: 'a',
      params: new Map([
        ['x', '1'],
        ['y', '2'],
      ]),
    },
    undefined,
    { title: 'T', params: new Map([['y', '3']]) },
  );
  assert.deepEqual(merged, {
    title: 'T',
    description: 'a',
    params: new Map([
      ['x', '1'],
      ['y', '3'],
    ]),
  });
});
