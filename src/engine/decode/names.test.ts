import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { flat, type Part, section } from '../../../test/wasm/bytes.ts';
import { readComponentName, readCoreNames, readProducers } from './names.ts';

const custom = (name: string, ...parts: readonly Part[]) => [
  { name, bytes: Uint8Array.from(flat(...parts)) },
];

describe('readCoreNames()', () => {
  const sections = custom(
    'name',
    section(0, 'calc'),
    section(1, 2, [0, 'add'], [1, 'sub']),
    section(2, 2, [0, 2, 0, 'a', 1, 'b'], [1, 1, 0, 'c']),
    section(9, 1, 2, 3),
  );

  it('reads module, function and parameter names', () => {
    const names = readCoreNames(sections);
    assert.equal(names?.module, 'calc');
    assert.deepEqual(
      [...(names?.functions ?? [])],
      [
        [0, 'add'],
        [1, 'sub'],
      ],
    );
    assert.deepEqual(
      [...(names?.locals.get(0) ?? [])],
      [
        [0, 'a'],
        [1, 'b'],
      ],
    );
  });

  it('keeps only the functions that are wanted', () => {
    const names = readCoreNames(sections, (func) => func === 1);
    assert.deepEqual([...(names?.functions ?? [])], [[1, 'sub']]);
    assert.deepEqual([...(names?.locals.keys() ?? [])], [1]);
  });

  it('gives null for a missing or broken section and never throws', () => {
    assert.equal(readCoreNames([]), null);
    assert.equal(readCoreNames(custom('name', 1, 0xff)), null);
    assert.equal(readCoreNames(custom('name', section(1, 0xff, 0xff, 0xff, 0xff, 0x0f))), null);
  });
});

it('readComponentName() reads the name of the component alone', () => {
  assert.equal(readComponentName(custom('component-name', section(0, 'tidy'), section(1, 0xff))), 'tidy');
  assert.equal(readComponentName(custom('component-name', 0xff, 0xfe)), null);
  assert.equal(readComponentName(custom('component-name')), null);
});

it('readProducers() lists languages and tools', () => {
  assert.deepEqual(
    readProducers(
      custom('producers', 2, ['language', 1, 'Rust', ''], ['processed-by', 1, 'wit-component', '0.1']),
    ),
    [
      { role: 'language', name: 'Rust', version: '' },
      { role: 'processed-by', name: 'wit-component', version: '0.1' },
    ],
  );
  assert.equal(readProducers(custom('producers', 9)), null);
});
