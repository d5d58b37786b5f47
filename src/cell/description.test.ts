// What a cell tells of its component comes through as it was, and nothing else does.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WitboxError } from '../core/errors.ts';
import type { WireValue } from '../core/port.ts';
import { decodeWire, encodeWire } from '../core/wire-value.ts';
import type { ValType } from '../wit/type.ts';
import { type Description, readDescription, writeDescription } from './description.ts';

const string: ValType = { kind: 'string' };
const resource = { slot: 3, name: 'file' };
const pair: ValType = { kind: 'tuple', items: [string, string] };
const types: readonly ValType[] = [
  { kind: 'bool' },
  { kind: 'record', fields: [{ name: 'a', type: pair }] },
  {
    kind: 'variant',
    cases: [
      { name: 'none', type: null },
      { name: 'some', type: pair },
    ],
  },
  { kind: 'list', element: pair },
  { kind: 'fixed-list', element: pair, length: 4 },
  { kind: 'flags', names: ['a', '__proto__'] },
  { kind: 'enum', names: ['x'] },
  { kind: 'option', some: { kind: 'option', some: string } },
  { kind: 'result', ok: null, err: string },
  { kind: 'map', key: string, value: pair },
  { kind: 'own', resource },
  { kind: 'borrow', resource },
  { kind: 'stream', element: null },
  { kind: 'future', element: string },
];
const description: Description = {
  kind: 'component',
  functions: types.map((type, i) => ({
    path: ['an:interface/name@1.0.0', `f${i}`],
    type: { params: [{ name: 'p', type }], result: i % 2 === 0 ? type : null, async: false },
  })),
  imports: ['wasi:cli/exit@0.2.0'],
  sections: new Map([['package-docs', new Uint8Array([1, 2])]]),
};

const carried = (value: WireValue): Description => readDescription(decodeWire(encodeWire(value)));

test('all types come through, resources stay one and the same', () => {
  const read = carried(writeDescription(description));
  // A resource's number is the cell's to give.
  assert.deepEqual(
    JSON.parse(JSON.stringify(read).replaceAll('"slot":0', '"slot":3')),
    JSON.parse(JSON.stringify(description)),
  );
  const handles = read.functions
    .map(({ type }) => type.params[0]?.type)
    .filter((type) => type && 'resource' in type);
  assert.equal(handles.length, 2);
  assert.equal(new Set(handles.map((type) => type && 'resource' in type && type.resource)).size, 1);
});

test('types that share parts without end stay small', () => {
  let type: ValType = string;
  for (let i = 0; i < 60; i++) type = { kind: 'tuple', items: [type, type] };
  const functions = [{ path: ['f'], type: { params: [], result: type, async: false } }];
  assert.equal(encodeWire(writeDescription({ ...description, functions })).byteLength < 2000, true);
  carried(writeDescription({ ...description, functions }));
});

const nonsense: readonly (readonly [string, WireValue])[] = [
  ['no list', null],
  ['an unknown kind', ['plugin', [], [], [], []]],
  ['a type that points to itself', ['component', [['list', 0]], [], [], []]],
  ['a type of unknown kind', ['component', [['any']], [], [], []]],
  ['a type with a broken field', ['component', [['bool'], ['record', ['a']]], [], [], []]],
  ['a function with a type that is not there', ['component', [], [[['f'], [], 0, false]], [], []]],
  ['a path that is too long', ['component', [], [[['a', 'b', 'c'], [], null, false]], [], []]],
  ['a name that is no text', ['component', [], [[[1], [], null, false]], [], []]],
  ['a section without bytes', ['component', [], [], [], [['x', 'y']]]],
  [
    'types nested without end',
    ['component', [['bool'], ...Array.from({ length: 200 }, (_, i) => ['option', i])], [], [], []],
  ],
];
for (const [what, value] of nonsense) {
  test(`a description with ${what} is refused`, () => {
    assert.throws(
      () => carried(value),
      (error) => error instanceof WitboxError && error.code === 'wire-malformed',
    );
  });
}
