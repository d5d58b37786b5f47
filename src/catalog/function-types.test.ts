import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FuncType, ValType } from '../wit/type.ts';
import { createFunctionTypes } from './function-types.ts';

const type = (kind: string, more: object = {}): ValType => ({ kind, ...more }) as unknown as ValType;
const func = (params: Record<string, ValType>, result: ValType | null): FuncType => ({
  params: Object.entries(params).map(([name, one]) => ({ name, type: one })),
  result,
  async: false,
});

const types = createFunctionTypes([
  { path: ['add'], type: func({ a: type('s32'), b: type('s32') }, type('s32')) },
  {
    path: ['find'],
    type: func({ name: type('string') }, type('result', { ok: type('string'), err: type('u8') })),
  },
  { path: ['close'], type: func({ it: type('own', { resource: { name: 'file' } }) }, null) },
]);

test('arguments that do not fit are told with their place, and others with nothing', () => {
  assert.equal(types.misfit(['add'], { a: 1, b: 2 }), null);
  const misfit = types.misfit(['add'], { a: 1, b: 2 ** 31 });
  assert.equal(misfit?.kind, 'misfit');
  assert.match((misfit as { message: string }).message, /^Value at \$\.b does not fit/);
  assert.match(JSON.stringify(types.misfit(['add'], { a: 1 })), /\$\.b does not fit: required/);
  assert.match(JSON.stringify(types.misfit(['add'], { a: 1, b: 2, c: 3 })), /\$\.c does not fit: unknown/);
  const proto = JSON.parse('{"a":1,"b":2,"__proto__":{}}');
  assert.match(JSON.stringify(types.misfit(['add'], proto)), /unknown field/);
  assert.equal(types.misfit(['close'], { it: 'anything' }), null, 'the cell knows its handles');
  assert.notEqual(types.misfit(['close'], { it: 1 }), null);
});

test('a result of another type than the function has is found', () => {
  assert.equal(types.resultFault(['add'], 3), null);
  assert.match(types.resultFault(['add'], 'three') ?? '', /does not fit/);
  assert.equal(types.resultFault(['find'], 'here'), null);
  assert.match(types.resultFault(['find'], { ok: 'here' }) ?? '', /does not fit/);
  assert.equal(types.resultFault(['close'], null), null);
});
