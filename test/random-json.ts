// Random JSON that fits a schema, made from the schema alone, and random damage to JSON. Knows the keywords that
// src/wit/schema.ts writes, nothing of the codec: whether the results fit is for a schema validator to say.

import type { Random } from './random-types.ts';

interface Keywords {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Keywords[];
  readonly oneOf?: readonly Keywords[];
  readonly properties?: { readonly [name: string]: Keywords };
  readonly required?: readonly string[];
  readonly additionalProperties?: false | Keywords;
  readonly prefixItems?: readonly Keywords[];
  readonly items?: false | Keywords;
  readonly minItems?: number;
  readonly uniqueItems?: boolean;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly format?: string;
  readonly contentEncoding?: string;
}

const LETTERS = ['a', 'Z', '9', '"', '\\', '\n', '\u0000', 'é', '€', '\ufffd', '😀', '__proto__'];

export function randomJson(random: Random, schema: Keywords): unknown {
  if ('const' in schema) return schema.const;
  const choice = schema.anyOf ?? schema.oneOf;
  if (choice) return randomJson(random, random.pick(choice));
  if (schema.enum) return random.pick(schema.enum);
  switch (schema.type) {
    case 'boolean':
      return random.chance(0.5);
    case 'integer': {
      const { minimum = 0, maximum = 0 } = schema;
      return random.chance(0.3)
        ? random.pick([minimum, maximum, 0])
        : minimum + random.below(maximum - minimum + 1);
    }
    case 'number':
      return (random.below(2 ** 32) - 2 ** 31) / random.pick([1, 3, 7e9, 1e-20]);
    case 'string':
      return randomString(random, schema);
    case 'array':
      return randomArray(random, schema);
    case 'object':
      return randomObject(random, schema);
    default:
      return null;
  }
}

function randomString(random: Random, schema: Keywords): string {
  if (schema.contentEncoding === 'base64') {
    return Buffer.from(Array.from({ length: random.below(6) }, () => random.below(256))).toString('base64');
  }
  if (schema.format === 'uint64') return String(BigInt.asUintN(64, random64(random)));
  if (schema.format === 'int64') return String(BigInt.asIntN(64, random64(random)));
  if (schema.maxLength === 1) return random.pick(LETTERS.filter((text) => [...text].length === 1));
  return Array.from({ length: random.below(4) }, () => random.pick(LETTERS)).join('');
}

function random64(random: Random): bigint {
  return ((BigInt(random.below(2 ** 32)) << 32n) | BigInt(random.below(2 ** 32))) >> BigInt(random.below(64));
}

function randomArray(random: Random, schema: Keywords): unknown[] {
  if (schema.prefixItems) return schema.prefixItems.map((item) => randomJson(random, item));
  const item = schema.items as Keywords;
  const made = Array.from({ length: schema.minItems ?? random.below(4) }, () => randomJson(random, item));
  return schema.uniqueItems ? [...new Set(made)] : made;
}

function randomObject(random: Random, schema: Keywords): object {
  const required = new Set(schema.required);
  const entries = Object.entries(schema.properties ?? {})
    .filter(([name]) => required.has(name) || random.chance(0.6))
    .map(([name, value]) => [name, randomJson(random, value)]);
  const more = schema.additionalProperties;
  if (more)
    for (let n = random.below(4); n > 0; n--) entries.push([random.pick(LETTERS), randomJson(random, more)]);
  return Object.fromEntries(entries);
}

const JUNK = [
  null,
  true,
  0,
  -1,
  1.5,
  256,
  2 ** 53,
  1e300,
  '',
  'NaN',
  'x',
  'AA==',
  '-0',
  '007',
  '18446744073709551616',
];

/** A copy with one thing replaced, removed, added or doubled somewhere inside. */
export function damagedJson(random: Random, json: unknown): unknown {
  if (typeof json !== 'object' || json === null || random.chance(0.25)) {
    return random.chance(0.2) ? random.pick([[], {}, [0], { some: null }, { tag: 'x' }]) : random.pick(JUNK);
  }
  if (Array.isArray(json)) {
    const i = random.below(json.length + 1);
    const change = random.below(3);
    if (change === 0) return json.toSpliced(i, 1);
    if (change === 1 || json.length === 0) return json.toSpliced(i, 0, json[0] ?? random.pick(JUNK));
    return json.with(random.below(json.length), damagedJson(random, random.pick(json)));
  }
  const entries = Object.entries(json);
  const change = random.below(3);
  if (change === 0 || entries.length === 0) {
    const name = random.pick(['extra', '__proto__', 'constructor', 'val', 'some', 'err']);
    return Object.fromEntries([...entries, [name, random.pick(JUNK)]]);
  }
  const i = random.below(entries.length);
  if (change === 1) return Object.fromEntries(entries.toSpliced(i, 1));
  const [name, value] = entries[i]!;
  return Object.fromEntries(entries.with(i, [name, damagedJson(random, value)]));
}
