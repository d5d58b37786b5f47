// Measures the engine against what it stands on: raw V8 calls and compilation, and jco's generated code. Each pair is
// measured in turns within one run, so that the ratios hold on a busy machine; the best of many turns counts.
// `npm run bench:engine`; loading needs `npm run fixtures rust-large starling` first, jco is fetched when missing.

import { readFileSync } from 'node:fs';
import { decodeComponent } from '../src/engine/decode/component.ts';
import { readCoreSections } from '../src/engine/decode/core-module.ts';
import { Reader } from '../src/engine/decode/reader.ts';
import { type CompiledComponent, compile, type Instance } from '../src/engine/engine.ts';
import { modulesIn } from '../test/fuzz/seeds.ts';
import { instantiateJco } from '../test/oracle/jco-instance.ts';
import { readGuest } from '../test/toolchain/guests.ts';
import { importJco } from '../test/toolchain/npm-tools.ts';

const TURNS = 40;
const FACE = 'fixture:values/values@1.0.0';

const fixture = (name: string): Uint8Array =>
  new Uint8Array(readFileSync(new URL(`../test/fixtures/wat/${name}.wasm`, import.meta.url)));

type Timed = () => number | Promise<number>;

/** Best time of each, in ms, measured in turns. */
async function best(turns: number, ...runs: Timed[]): Promise<number[]> {
  const times = runs.map(() => Infinity);
  for (let turn = 0; turn < turns; turn++) {
    for (const [i, run] of runs.entries()) times[i] = Math.min(times[i]!, await run());
  }
  return times;
}

/** ms per call of `body`. */
function each(calls: number, body: (i: number) => unknown): Timed {
  return () => {
    const before = performance.now();
    for (let i = 0; i < calls; i++) body(i);
    return (performance.now() - before) / calls;
  };
}

function report(
  what: string,
  ours: number,
  other: string,
  theirs: number,
  target: string,
  met: boolean,
): void {
  const ratio = ours / theirs;
  const line = [
    what.padEnd(34),
    time(ours).padStart(10),
    `${other} ${time(theirs)}`.padStart(32),
    `${ratio.toFixed(2)} ×`.padStart(10),
    `  ${met ? 'meets' : 'MISSES'} ${target}`,
  ];
  console.log(line.join(''));
}

function time(ms: number): string {
  if (ms < 1e-3) return `${(ms * 1e6).toFixed(0)} ns`;
  return ms < 1 ? `${(ms * 1e3).toFixed(2)} µs` : `${ms.toFixed(1)} ms`;
}

async function component(bytes: Uint8Array): Promise<CompiledComponent> {
  const compiled = await compile(bytes);
  if (compiled.kind !== 'component') throw new Error('expected a component');
  return compiled;
}

async function calls(): Promise<void> {
  const adder = await component(fixture('adder'));
  const instance = await adder.instantiate();
  const [module] = coreModules(fixture('adder'));
  const raw = new WebAssembly.Instance(new WebAssembly.Module(module!)).exports.add as (
    a: number,
    b: number,
  ) => number;
  const N = 20_000;
  let sum = 0;
  const [ours, core] = await best(
    TURNS,
    each(N, (i) => {
      sum += instance.callSync('add', [i, 1]) as number;
    }),
    each(N, (i) => {
      sum += raw(i, 1);
    }),
  );
  report(
    'add(u32, u32)',
    ours!,
    'raw core call',
    core!,
    'at most 25 ×, 2 µs',
    ours! <= 25 * core! && ours! <= 2e-3,
  );
  if (sum === 0) throw new Error('nothing was added');
}

async function values(): Promise<void> {
  const bytes = fixture('values');
  const ours: Instance = await (await component(bytes)).instantiate();
  const theirs = (await instantiateJco('bench-values', bytes))[FACE] as Record<
    string,
    (value: unknown) => unknown
  >;
  const pair = async (
    name: string,
    value: never,
    jcoName: string,
    jcoValue: unknown,
    n: number,
  ): Promise<number[]> => {
    const path = [FACE, name];
    const func = theirs[jcoName]!;
    return best(
      TURNS,
      each(n, () => ours.callSync(path, [value])),
      each(n, () => func(jcoValue)),
    );
  };
  const text = 'The quick brown fox jumps over the lazy dog. '.repeat(23).slice(0, 1024);
  const [string, jcoString] = await pair('echo-string', text as never, 'echoString', text, 2_000);
  report('1 KiB string there and back', string!, 'jco', jcoString!, 'at most 6 µs', string! <= 6e-3);

  const points = Array.from({ length: 1_000 }, (_, i) => ({ x: i, y: BigInt(i), label: 'p' }));
  const [list, jcoList] = await pair('echo-points', points as never, 'echoPoints', points, 20);
  report('1,000 records there and back', list!, 'jco', jcoList!, 'at most 1 ×', list! <= jcoList!);
  const [sum, jcoSum] = await pair('sum-points', points as never, 'sumPoints', points, 20);
  report('1,000 records there', sum!, 'jco', jcoSum!, 'at most 1 ×', sum! <= jcoSum!);
}

async function instances(): Promise<void> {
  const adder = await component(fixture('adder'));
  const modules = coreModules(fixture('adder')).map((bytes) => new WebAssembly.Module(bytes));
  const N = 500;
  const [ours, bare] = await best(
    TURNS,
    async () => {
      const before = performance.now();
      for (let i = 0; i < N; i++) await adder.instantiate();
      return (performance.now() - before) / N;
    },
    each(N, () => modules.map((module) => new WebAssembly.Instance(module))),
  );
  report('fresh instance', ours!, 'bare instances', bare!, 'at most 1.3 ×', ours! <= 1.3 * bare!);
}

async function loading(name: string): Promise<void> {
  const bytes = readGuest(name);
  if (bytes === null) {
    console.log(`load ${name}: not built, run "npm run fixtures ${name}"`);
    return;
  }
  let salt = 0;
  const what = `load ${name} (${(bytes.length / 1e6).toFixed(1)} MB)`;
  const [ours, v8] = await best(
    15,
    async () => {
      const fresh = salted(bytes, ++salt);
      const before = performance.now();
      await compile(fresh);
      return performance.now() - before;
    },
    async () => {
      const modules = coreModules(salted(bytes, ++salt));
      const before = performance.now();
      await Promise.all(modules.map((module) => WebAssembly.compile(module)));
      return performance.now() - before;
    },
  );
  report(what, ours!, 'V8 compile alone', v8!, 'at most 1.5 ×', ours! <= 1.5 * v8!);
  const { transpile } = await importJco();
  const [jco] = await best(2, async () => {
    const before = performance.now();
    await transpile(bytes, { name: 'bench', instantiation: 'async', multiMemory: false, quiet: true });
    return performance.now() - before;
  });
  report(what, ours!, 'jco transpile', jco!, 'at most 0.2 ×', ours! <= jco! / 5);
}

const coreModules = (bytes: Uint8Array): Uint8Array[] => modulesIn(decodeComponent(bytes));

/** A copy that differs in one byte of each module's data: V8 would not compile the same bytes twice. */
function salted(bytes: Uint8Array, salt: number): Uint8Array {
  const copy = bytes.slice();
  for (const module of coreModules(copy)) {
    const data = readCoreSections(new Reader(module)).find((section) => section.id === 11);
    if (data !== undefined) module[data.end - 1] = (module[data.end - 1]! + salt) & 0xff;
  }
  return copy;
}

await calls();
await values();
await instances();
await loading('rust-large');
await loading('starling');
