import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { damagedJson, randomJson } from '../../test/random-json.ts';
import {
  createRandom,
  type Random,
  randomFuncType,
  randomType,
  randomValue,
} from '../../test/random-types.ts';
import { WitboxError } from '../core/errors.ts';
import { createCodec, createFuncCodec } from './codec.ts';
import type { HandleTable } from './handle.ts';
import { inputSchema, outputSchema, type Schema, typeSchema } from './schema.ts';
import type { PrimitiveKind, ValType } from './type.ts';
import type { Value } from './value.ts';

const TYPES = 250;
const VALUES = 12;

// The judge knows nothing of the codec. `int64` and `uint64` are what the OpenAPI format registry says of strings.
function createJudge(): (schema: Schema) => (json: unknown) => boolean {
  const judge = new Ajv2020({ strict: true, strictTypes: false, ownProperties: true });
  for (const [name, bits] of [
    ['int64', BigInt.asIntN],
    ['uint64', BigInt.asUintN],
  ] as const) {
    judge.addFormat(name, {
      type: 'string',
      validate: (text: string) => bits(64, BigInt(text)) === BigInt(text),
    });
  }
  return (schema) => {
    const validate = judge.compile(schema);
    return (json) => validate(json);
  };
}

/** Through text, as on the wire. Text written by JSON.stringify has no minus zero. */
const wire = (json: unknown): unknown => JSON.parse(JSON.stringify(json));

/** Brings minus zero to zero and map pairs into an order, the two differences that JSON may make. */
function settled(value: Value, type: ValType): Value {
  switch (type.kind) {
    case 'f32':
    case 'f64':
      return value === 0 ? 0 : value;
    case 'list':
    case 'fixed-list':
      return value instanceof Uint8Array
        ? value
        : (value as Value[]).map((item) => settled(item, type.element));
    case 'tuple':
      return (value as Value[]).map((item, i) => settled(item, type.items[i]!));
    case 'record':
      return Object.fromEntries(
        type.fields.map(({ name, type }) => [name, settled((value as Record<string, Value>)[name], type)]),
      );
    case 'variant':
    case 'result': {
      const { tag, val } = value as { tag: string; val: Value };
      const payload =
        type.kind === 'result'
          ? type[tag as 'ok' | 'err']
          : type.cases.find((each) => each.name === tag)!.type;
      return payload ? { tag, val: settled(val, payload) } : value;
    }
    case 'option':
      if (value === undefined) return value;
      if (type.some.kind !== 'option') return settled(value, type.some);
      return { some: settled((value as { some: Value }).some, type.some) };
    case 'map':
      return (value as [Value, Value][])
        .map(([key, held]): [Value, Value] => [key, settled(held, type.value)])
        .sort(([a], [b]) => (String(a) < String(b) ? -1 : 1));
    default:
      return value;
  }
}

function forRandomTypes(body: (random: Random, type: ValType, seed: number) => void): void {
  for (let seed = 1; seed <= TYPES; seed++) {
    const random = createRandom(seed);
    const type = randomType(random);
    try {
      body(random, type, seed);
    } catch (error) {
      throw new Error(`Seed ${seed}: ${JSON.stringify(type)}`, { cause: error });
    }
  }
}

test('every value becomes JSON that fits the schema and reads back as the same value', () => {
  const judge = createJudge();
  forRandomTypes((random, type) => {
    const codec = createCodec(type);
    const fits = judge(typeSchema(type));
    for (let n = 0; n < VALUES; n++) {
      const value = randomValue(random, type);
      const json = wire(codec.toJson(value));
      assert.ok(fits(json), `does not fit: ${JSON.stringify(json)}`);
      assert.deepStrictEqual(settled(codec.fromJson(json), type), settled(value, type));
    }
  });
});

test('JSON made from the schema alone is taken, and so is JSON damaged in ways that still fit', () => {
  const judge = createJudge();
  let [taken, refused] = [0, 0];
  forRandomTypes((random, type) => {
    const codec = createCodec(type);
    const schema = typeSchema(type);
    const fits = judge(schema);
    for (let n = 0; n < VALUES; n++) {
      const sound = randomJson(random, schema);
      for (const json of [
        sound,
        damagedJson(random, sound),
        damagedJson(random, damagedJson(random, sound)),
      ]) {
        const text = JSON.stringify(json);
        const shouldFit = fits(json);
        const error = failure(() => codec.toJson(codec.fromJson(json)));
        // Equal keys in an array of pairs are beyond a schema.
        if (error?.message.includes('each key once')) continue;
        assert.equal(error === undefined, shouldFit, `${text}: ${error?.message ?? 'was taken'}`);
        if (error) refused++;
        else taken++;
      }
    }
  });
  assert.ok(taken > TYPES * VALUES && refused > TYPES * VALUES, `${taken} taken, ${refused} refused`);
});

test('arguments and outcome of random functions fit the schemas of the tool', () => {
  const judge = createJudge();
  for (let seed = 1; seed <= 100; seed++) {
    const random = createRandom(seed);
    const func = randomFuncType(random, { depth: 2, without: ['map'] });
    const codec = createFuncCodec(func);
    const schema = inputSchema(func);
    for (let n = 0; n < 5; n++) {
      const json = randomJson(random, schema);
      assert.ok(judge(schema)(json));
      assert.equal(codec.args(json).length, func.params.length);
      if (func.result === null) {
        assert.deepEqual(codec.outcome(undefined), { ok: true, value: null });
        continue;
      }
      const outcome = codec.outcome(randomValue(random, func.result));
      const output = outputSchema(func);
      if (outcome.ok && output) assert.ok(judge(output)(wire(outcome.value)));
      assert.ok(outcome.ok || func.result.kind === 'result');
    }
  }
});

function failure(run: () => unknown): WitboxError | undefined {
  try {
    run();
    return undefined;
  } catch (error) {
    assert.ok(error instanceof WitboxError, String(error));
    return error;
  }
}

const prim = (kind: PrimitiveKind): ValType => ({ kind });
const list = (element: ValType): ValType => ({ kind: 'list', element });
const option = (some: ValType): ValType => ({ kind: 'option', some });
const record = (fields: Record<string, ValType>): ValType => ({
  kind: 'record',
  fields: Object.entries(fields).map(([name, type]) => ({ name, type })),
});

test('an error names the place, the rule and the value', () => {
  const person = record({ name: prim('string'), scores: list(prim('u8')), tags: list(prim('s8')) });
  const cases: [ValType, unknown, string][] = [
    [person, 5, 'Value at $ does not fit: expected an object, got 5'],
    [person, { scores: '', tags: [] }, 'Value at $.name does not fit: required, but missing'],
    [
      person,
      { name: 'x', scores: '', tags: [], nmae: 1 },
      'Value at $.nmae does not fit: unknown field, known are name, scores, tags',
    ],
    [
      person,
      { name: 'x', scores: '', tags: [1, 128] },
      'Value at $.tags[1] does not fit: expected an integer from -128 to 127, got 128',
    ],
    [
      person,
      { name: 'x', scores: [0, 256], tags: [] },
      'Value at $.scores[1] does not fit: expected an integer from 0 to 255, got 256',
    ],
    [
      person,
      { name: 'x', scores: 'QQ', tags: [] },
      'Value at $.scores does not fit: expected bytes in base64, with padding, got "QQ"',
    ],
    [
      { kind: 'map', key: prim('string'), value: prim('bool') },
      { 'a b': 1 },
      'Value at $["a b"] does not fit: expected true or false, got 1',
    ],
    [
      prim('u64'),
      2 ** 53,
      'Value at $ does not fit: expected integers beyond 2^53 as decimal strings, which lose no digits, got 9007199254740992',
    ],
    [
      prim('u64'),
      '18446744073709551616',
      'Value at $ does not fit: expected an integer from 0 to 18446744073709551615, as a number or a decimal string, got "18446744073709551616"',
    ],
    [prim('char'), 'ab', 'Value at $ does not fit: expected a string of one Unicode character, got "ab"'],
    [
      prim('string'),
      '\ud800',
      'Value at $ does not fit: expected a string of whole Unicode characters, got "\\ud800"',
    ],
    [
      { kind: 'enum', names: ['red', 'green'] },
      'blue',
      'Value at $ does not fit: expected one of red, green, got "blue"',
    ],
    [
      { kind: 'flags', names: ['r', 'w'] },
      ['r', 'r'],
      'Value at $[1] does not fit: expected each name once, got "r"',
    ],
    [
      { kind: 'map', key: prim('u8'), value: prim('bool') },
      [
        [1, true],
        [1, false],
      ],
      'Value at $[1] does not fit: expected each key once, got 1 again',
    ],
    [
      { kind: 'variant', cases: [{ name: 'none', type: null }] },
      { tag: 'none', val: 1 },
      'Value at $.val does not fit: "none" carries no value',
    ],
    [
      { kind: 'result', ok: null, err: prim('u8') },
      { ok: null, err: 1 },
      'Value at $ does not fit: expected an object with either ok or err, got an object',
    ],
    [prim('string'), ['x'.repeat(1000)], 'Value at $ does not fit: expected a string, got an array of 1'],
    [
      prim('u8'),
      'x'.repeat(1000),
      `Value at $ does not fit: expected an integer from 0 to 255, got "${'x'.repeat(60)}"… (1000 characters)`,
    ],
  ];
  for (const [type, json, message] of cases) {
    assert.equal(failure(() => createCodec(type).fromJson(json))?.message, message);
  }
});

test('64-bit integers keep every digit', () => {
  const codec = createCodec(prim('s64'));
  assert.equal(codec.toJson(2n ** 53n - 1n), 9007199254740991);
  assert.equal(codec.toJson(2n ** 53n), '9007199254740992');
  assert.equal(codec.toJson(-(2n ** 63n)), '-9223372036854775808');
  assert.equal(codec.fromJson('-9223372036854775808'), -(2n ** 63n));
  assert.equal(codec.fromJson(7), 7n);
});

test('a 32-bit float is written as the shortest number that reads back the same', () => {
  const codec = createCodec(prim('f32'));
  assert.equal(codec.toJson(Math.fround(0.1)), 0.1);
  assert.equal(codec.toJson(Math.fround(16777217)), 16777216);
  assert.equal(codec.fromJson(0.1), Math.fround(0.1));
});

test('options left out, null and nested are told apart', () => {
  const nested = createCodec(option(option(prim('u8'))));
  assert.equal(nested.fromJson(null), undefined);
  assert.deepEqual(nested.fromJson({ some: null }), { some: undefined });
  assert.deepEqual(nested.fromJson({ some: 5 }), { some: 5 });
  assert.match(failure(() => nested.fromJson(5))!.message, /expected an object, got 5/);
  assert.match(failure(() => nested.fromJson({}))!.message, /\$\.some does not fit: required/);
  const inRecord = createCodec(record({ a: option(prim('u8')), b: prim('u8') }));
  assert.deepEqual(inRecord.fromJson({ b: 1 }), { a: undefined, b: 1 });
  assert.deepEqual(inRecord.toJson({ a: undefined, b: 1 }), { a: null, b: 1 });
});

test('names of Object.prototype are plain data', () => {
  const type = record({ constructor: option(prim('u8')), 'to-string': prim('u8') });
  const codec = createCodec(type);
  assert.deepEqual(codec.toJson({ 'to-string': 1 }), { constructor: null, 'to-string': 1 });
  const map = createCodec({ kind: 'map', key: prim('string'), value: prim('u8') });
  const pairs = map.fromJson(JSON.parse('{"__proto__": 1, "constructor": 2}'));
  assert.deepEqual(pairs, [
    ['__proto__', 1],
    ['constructor', 2],
  ]);
  assert.equal(JSON.stringify(map.toJson(pairs)), '{"__proto__":1,"constructor":2}');
  const hostile = failure(() =>
    codec.fromJson(JSON.parse('{"to-string": 1, "__proto__": {"constructor": 3}}')),
  );
  assert.match(hostile!.message, /\$\.__proto__ does not fit: unknown field/);
  // A core module names its parameters as it likes.
  const func = { params: [{ name: '__proto__', type: prim('s32') }], result: null, async: false };
  assert.equal(
    JSON.stringify(inputSchema(func)),
    '{"type":"object","properties":{"__proto__":{"type":"integer","minimum":-2147483648,"maximum":2147483647}},"additionalProperties":false,"required":["__proto__"]}',
  );
  assert.deepEqual(createFuncCodec(func).args(JSON.parse('{"__proto__": 4}')), [4]);
  assert.throws(() => createFuncCodec(func).args({}), /\$\.__proto__ does not fit: required/);
});

test('of equal keys that a guest gives, the last one counts', () => {
  const pairs: Value = [
    [1, 'a'],
    [2, 'b'],
    [1, 'c'],
  ];
  const codec = createCodec({ kind: 'map', key: prim('u8'), value: prim('string') });
  assert.deepEqual(codec.toJson(pairs), [
    [1, 'c'],
    [2, 'b'],
  ]);
});

test('a result at the top of a function splits into value and error', () => {
  const codec = createFuncCodec({
    params: [],
    result: { kind: 'result', ok: prim('u8'), err: prim('string') },
    async: false,
  });
  assert.deepEqual(codec.outcome({ tag: 'ok', val: 3 }), { ok: true, value: 3 });
  assert.deepEqual(codec.outcome({ tag: 'err', val: 'no' }), { ok: false, error: 'no' });
});

test('handles cross as the strings of the table that keeps them', () => {
  const resource = { slot: 0, name: 'counter' };
  const handle = { rep: 7 };
  const handles: HandleTable = {
    give: (value) => (value === handle ? 'h1' : 'other'),
    take: (text, type, mode) =>
      text === 'h1' && type === resource && mode === 'borrow' ? handle : undefined,
  };
  const borrow = createCodec({ kind: 'borrow', resource }, handles);
  const own = createCodec({ kind: 'own', resource }, handles);
  assert.equal(own.toJson(handle), 'h1');
  assert.equal(borrow.fromJson('h1'), handle);
  assert.throws(() => own.fromJson('h1'), /expected a live handle of a counter, got "h1"/);
  assert.throws(() => createCodec({ kind: 'own', resource }).fromJson('h1'), /expected a live handle/);
});

test('typed arrays are lists of numbers', () => {
  assert.deepEqual(createCodec(list(prim('u16'))).toJson(Uint16Array.of(1, 65535)), [1, 65535]);
  assert.equal(createCodec(list(prim('u8'))).toJson([1, 2, 3]), 'AQID');
});

test('a value of the wrong form is an error, not nonsense', () => {
  assert.throws(() => createCodec(prim('u8')).toJson(256), /expected an integer from 0 to 255, got 256/);
  assert.throws(() => createCodec(prim('u64')).toJson(5), /expected a bigint/);
  assert.throws(() => createCodec({ kind: 'enum', names: ['a'] }).toJson('b'), /expected a name of the enum/);
});

test('streams, futures and error contexts have no JSON', () => {
  for (const type of [{ kind: 'stream', element: null }, prim('error-context')] as const) {
    assert.throws(() => typeSchema(type), { code: 'type-without-json' });
    assert.throws(() => createCodec(type), { code: 'type-without-json' });
  }
});

test('a small type that unfolds into a huge schema is refused, its codec is not', () => {
  let type: ValType = prim('u8');
  for (let n = 0; n < 40; n++) type = { kind: 'tuple', items: [type, type] };
  assert.throws(() => typeSchema(type), { code: 'schema-too-large' });
  assert.throws(() => createCodec(type).fromJson([[], []]), /expected an array of 2/);
});
