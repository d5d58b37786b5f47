// `npm run test:oracle`: the same component, the same arguments, our results against those of jco's generated code.
// Fetches jco into .cache/tools the first time. Guests that are not built are named and left out.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { compile, type Instance } from '../../src/engine/engine.ts';
import type { ExternType, FuncType } from '../../src/wit/type.ts';
import type { Value } from '../../src/wit/value.ts';
import { createRandom, randomType, randomValue } from '../random-types.ts';
import { closedImports } from '../toolchain/closed-imports.ts';
import { missingGuest, readGuest } from '../toolchain/guests.ts';
import { importJco } from '../toolchain/npm-tools.ts';
import { instantiateJco, type JcoExports } from './jco-instance.ts';
import { callJco, camel, plain } from './jco-value.ts';
import { randomComponent } from './random-component.ts';

const ROUNDS = 200;

interface Exported {
  readonly path: readonly string[];
  readonly type: FuncType;
}

function functionsOf(items: ReadonlyMap<string, ExternType>, path: readonly string[] = []): Exported[] {
  return [...items].flatMap(([name, item]) => {
    if (item.kind === 'func') return { path: [...path, name], type: item.type };
    return item.kind === 'instance' ? functionsOf(item.type.exports, [...path, name]) : [];
  });
}

async function bothOf(name: string, bytes: Uint8Array): Promise<[Instance, JcoExports, Exported[]]> {
  const compiled = await compile(bytes);
  assert.ok(compiled.kind === 'component');
  const ours = await compiled.instantiate(closedImports(compiled.type));
  return [ours, await instantiateJco(name, bytes), functionsOf(compiled.type.exports)];
}

function jcoFunction(exports: JcoExports, path: readonly string[]): (...args: unknown[]) => unknown {
  const [first, ...rest] = path;
  const found = rest.length === 0 ? exports[camel(first!)] : (exports[first!] as JcoExports)[camel(rest[0]!)];
  assert.equal(typeof found, 'function', path.join(' '));
  return found as (...args: unknown[]) => unknown;
}

const wat = (name: string): Uint8Array =>
  new Uint8Array(readFileSync(new URL(`../fixtures/wat/${name}.wasm`, import.meta.url)));

// Not encodings.wasm: jco transpiles UTF-8 and UTF-16, which composed.wasm has, and not the third encoding.
for (const name of ['values', 'composed', 'post-return', 'multi-memory', 'adder']) {
  it(`${name}.wasm gives the same results`, async () => compare(await bothOf(name, wat(name))));
}

for (const name of ['c', 'rust', 'qjs', 'starling']) {
  it(`the ${name} guest gives the same results`, { skip: missingGuest(name) }, async () =>
    compare(await bothOf(`guest-${name}`, readGuest(name)!)),
  );
}

function compare([ours, theirs, functions]: [Instance, JcoExports, Exported[]]): void {
  const random = createRandom(20_000);
  for (const { path, type } of functions) {
    if (path[0] === 'init') continue;
    const func = jcoFunction(theirs, path);
    for (let round = 0; round < ROUNDS; round++) {
      const args = type.params.map((param) => randomValue(random, param.type, { length: round % 40 }));
      const actual = plain(ours.callSync(path, args));
      assert.deepEqual(actual, callJco(func, type, args), `${path.join(' ')} of ${show(args)}`);
    }
  }
}

function show(args: readonly Value[]): string {
  return JSON.stringify(args, (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value)).slice(
    0,
    500,
  );
}

describe('components of random types', () => {
  const COMPONENTS = 40;
  // Not maps and fixed-length lists, which are newer than jco's types.
  const without = ['map', 'fixed-list'] as const;
  // Digests know no pointers; and where a number of 32 bits shares its place with one of 64, the upper half means
  // nothing to the guest: the specification fills it with zeros, others with the sign.
  const undigested = [...without, 'list', 'string', 's8', 's16', 's32', 'f32'] as const;
  for (let seed = 1; seed <= COMPONENTS; seed++) {
    it(`give the same results, seed ${seed}`, async () => {
      const random = createRandom(seed);
      const echoed = randomType(random, { without });
      const digested = randomType(random, { depth: 3, width: 3, without: undigested });
      const { parse } = await importJco();
      const bytes = await parse(randomComponent(echoed, digested));
      compare(await bothOf(`random-${seed}`, bytes));
    });
  }
});

describe('resources.wasm', () => {
  it('counts, merges and drops alike through a random sequence of calls', async () => {
    const FACE = 'fixture:counters/counters@1.0.0';
    const [ours, theirs] = await bothOf('resources', wat('resources'));
    type Counter = { add(by: number): number; value(): number };
    const face = theirs[FACE] as {
      Counter: { new (start: number): Counter; merge(a: Counter, b: Counter): Counter };
      dropped(): number;
    };
    const call = (name: string, ...args: Value[]): Value => ours.callSync([FACE, name], args);
    const random = createRandom(77);
    const counters: [Value, Counter][] = [];
    for (let i = 0; i < 2_000; i++) {
      const amount = random.below(1_000);
      const choice = random.below(4);
      if (choice === 0 || counters.length < 2) {
        counters.push([call('[constructor]counter', amount), new face.Counter(amount)]);
      } else if (choice === 1) {
        const [mine, other] = random.pick(counters);
        assert.equal(call('[method]counter.add', mine, amount), other.add(amount));
      } else if (choice === 2) {
        const [mine, other] = random.pick(counters);
        assert.equal(call('[method]counter.value', mine), other.value());
      } else {
        const [[a, b], [c, d]] = counters.splice(0, 2) as [[Value, Counter], [Value, Counter]];
        counters.push([call('[static]counter.merge', a, c), face.Counter.merge(b, d)]);
        assert.equal(call('dropped'), face.dropped());
      }
    }
  });
});
