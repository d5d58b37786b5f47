import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import type { ErrorCode } from '../core/errors.ts';
import { WitboxError } from '../core/errors.ts';
import {
  type Compiled,
  type CompiledComponent,
  compile,
  coreHost,
  Handle,
  hostResource,
  type Imports,
  type Instance,
  suspending,
  Trap,
  type TrapKind,
} from './engine.ts';

const bytesOf = (name: string): Uint8Array =>
  readFileSync(new URL(`../../test/fixtures/wat/${name}.wasm`, import.meta.url));

async function component(name: string): Promise<CompiledComponent> {
  const compiled = await compile(bytesOf(name));
  assert.equal(compiled.kind, 'component');
  return compiled as CompiledComponent;
}

async function start(name: string, imports: Imports = {}): Promise<Instance> {
  return (await component(name)).instantiate(imports);
}

const fails = (code: ErrorCode, pattern = /./) => ({
  test: (error: unknown): boolean =>
    error instanceof WitboxError && error.code === code && pattern.test(error.message),
});
const throwsCode = (run: () => unknown, code: ErrorCode, pattern?: RegExp): void =>
  assert.throws(run, fails(code, pattern).test);
const rejectsCode = (run: Promise<unknown>, code: ErrorCode, pattern?: RegExp): Promise<void> =>
  assert.rejects(run, fails(code, pattern).test);

const isTrap =
  (kind: TrapKind, pattern = /./) =>
  (error: unknown): boolean => {
    assert.ok(error instanceof Trap, `expected a trap, got ${error}`);
    assert.equal(error.kind, kind, error.message);
    assert.match(error.message, pattern);
    return true;
  };

const later = <T>(value: T): Promise<T> => new Promise((done) => setImmediate(() => done(value)));

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

describe('suspending imports', () => {
  it('suspend on both sides of a border between components, and in start functions', async () => {
    const guest = await start('link-bridge', { wait: suspending((n) => later((n as number) * 10)) });
    assert.equal(await guest.call('first', []), 70);
    assert.equal(await guest.call('run', [4]), 82);
    assert.equal(await guest.call('ask', [4]), 41);
  });

  it('that answer at once work the same', async () => {
    const guest = await start('link-bridge', { wait: suspending((n) => n) });
    assert.equal(await guest.call('run', [4]), 10);
  });

  it('let other instances go on meanwhile', async () => {
    const compiled = await component('link-bridge');
    const order: string[] = [];
    const make = (name: string, ticks: number): Promise<Instance> =>
      compiled.instantiate({
        wait: suspending(async (n) => {
          for (let i = 0; i < ticks; i++) await later(0);
          order.push(name);
          return n;
        }),
      });
    const [slow, quick] = await Promise.all([make('slow', 30), make('quick', 1)]);
    order.length = 0;
    await Promise.all([
      slow.call('run', [1]),
      quick.call('run', [1]),
      slow.call('first', []).catch(() => {}),
    ]);
    assert.deepEqual(order, ['quick', 'slow']);
  });

  it('refuse a second call into a suspended instance, and the first goes on', async () => {
    let answer: (n: number) => void = () => {};
    const guest = await start('link-bridge', {
      wait: suspending((n) => (n === 7 ? 0 : new Promise<number>((done) => (answer = done)))),
    });
    const first = guest.call('run', [1]);
    await assert.rejects(guest.call('first', []), isTrap('reentrance', /cannot enter component instance/));
    answer(20);
    assert.equal(await first, 42);
    assert.equal(await guest.call('first', []), 0);
  });

  it('make callSync() impossible, and say so', async () => {
    const guest = await start('link-bridge', { wait: suspending((n) => n) });
    assert.equal(guest.suspends, true);
    throwsCode(() => guest.callSync('run', [1]), 'instance-suspends', /"run"/);
  });

  it('take and give strings and results', async () => {
    const store = new Map([['key', 'välue']]);
    const guest = await start('async-import', {
      sleep: suspending((ms) => later(ms)),
      'fixture:store/store@0.2.7': {
        fetch: suspending(async (key) => {
          const val = store.get(await later(key as string));
          return val === undefined ? { tag: 'err', val: `no ${key}` } : { tag: 'ok', val };
        }),
      },
    });
    assert.equal(await guest.call('run', [3]), 6);
    assert.deepEqual(await guest.call('get', ['key']), { tag: 'ok', val: 'välue' });
    assert.deepEqual(await guest.call('get', ['other']), { tag: 'err', val: 'no other' });
  });

  it('that fail trap the guest, with the reason as cause', async () => {
    const reason = new Error('line is down');
    const guest = await start('link-bridge', {
      wait: suspending(async (n) => (n === 7 ? 0 : Promise.reject(reason))),
    });
    const failed = await guest.call('run', [1]).catch((error) => error);
    assert.ok(isTrap('host', /line is down/)(failed));
    assert.equal(failed.cause, reason);
    await assert.rejects(guest.call('run', [1]), isTrap('reentrance'));
  });
});

describe('traps', () => {
  const never = { act: () => assert.fail('not to be called') };

  it('poison the instance', async () => {
    const guest = await start('link-catch', never);
    assert.throws(() => guest.callSync('throw', []), isTrap('exception', /uncaught exception/));
    assert.throws(() => guest.callSync('fine', []), isTrap('reentrance', /cannot enter component instance/));
  });

  it('of a host function cannot be caught by the guest', async () => {
    const reason = new Error('refused');
    const guest = await start('link-catch', {
      act: () => {
        throw reason;
      },
    });
    assert.throws(
      () => guest.callSync('try', []),
      (error) => isTrap('host', /refused/)(error) && (error as Trap).cause === reason,
    );
  });

  it('leave exceptions that the guest catches itself alone', async () => {
    const guest = await start('link-catch', { act: () => undefined });
    assert.equal(guest.callSync('own', []), 2);
    assert.equal(guest.callSync('try', []), 1);
  });

  it('tell a stack overflow', async () => {
    const guest = await start('link-catch', never);
    assert.throws(() => guest.callSync('deep', []), isTrap('stack'));
  });

  it('stop a host function from entering the instance that called it', async () => {
    let guest: Instance | undefined;
    guest = await start('link-catch', { act: () => guest?.callSync('fine', []) });
    assert.throws(() => guest.callSync('try', []), isTrap('reentrance', /cannot enter/));
  });

  it('come from a result of the host that is not of the type', async () => {
    const guest = await start('link-bridge', { wait: (n) => (n === 7 ? 0 : 'many') });
    assert.throws(() => guest.callSync('run', [1]), isTrap('host', /"many" as u32/));
  });
});

describe('resources', () => {
  const COUNTERS = 'fixture:counters/counters@1.0.0';

  it('of a guest are handles for the host', async () => {
    const guest = await start('resources');
    const make = (n: number): Handle => guest.callSync([COUNTERS, '[constructor]counter'], [n]) as Handle;
    const [a, b] = [make(1), make(20)];
    assert.ok(a instanceof Handle);
    assert.equal(guest.callSync([COUNTERS, '[method]counter.add'], [a, 2]), 3);
    const merged = guest.callSync([COUNTERS, '[static]counter.merge'], [a, b]) as Handle;
    assert.equal(guest.callSync([COUNTERS, 'dropped'], []), 23);
    throwsCode(
      () => guest.callSync([COUNTERS, '[method]counter.value'], [a]),
      'value-mismatch',
      /live handle/,
    );
    merged.dispose();
    merged.dispose();
    assert.equal(guest.callSync([COUNTERS, 'dropped'], []), 46);
  });

  it('of one instance are strangers to another', async () => {
    const compiled = await component('resources');
    const [a, b] = [await compiled.instantiate(), await compiled.instantiate()];
    const handle = a.callSync([COUNTERS, '[constructor]counter'], [1]);
    throwsCode(() => b.callSync([COUNTERS, '[method]counter.value'], [handle]), 'value-mismatch');
  });

  class Thing {
    readonly n: number;
    constructor(n: number) {
      this.n = n;
    }
  }
  async function things(): Promise<{ guest: Instance; dropped: number[]; kept: Thing[] }> {
    const dropped: number[] = [];
    const kept: Thing[] = [];
    const thing = hostResource({ name: 'thing', drop: (rep) => dropped.push((rep as Thing).n) });
    const guest = await start('link-lend', {
      'fixture:host/things@1.0.3': {
        thing,
        '[constructor]thing': (n) => new Thing(n as number),
        '[method]thing.number': (self) => (self as Thing).n,
        '[method]thing.swallow': () => undefined,
        keep: (given) => void kept.push(given as Thing),
      },
    });
    return { guest, dropped, kept };
  }

  it('of the host are its own objects at both ends', async () => {
    const { guest, dropped, kept } = await things();
    const made = guest.callSync('make', [3]);
    assert.ok(made instanceof Thing);
    assert.equal(guest.callSync('read', [made]), 3);
    guest.callSync('give-away', [4]);
    guest.callSync('make-and-drop', [5]);
    assert.deepEqual([dropped, kept.map(({ n }) => n)], [[5], [4]]);
  });

  const broken: [string, (n: Thing) => readonly unknown[], RegExp][] = [
    ['forget', (thing) => [thing], /borrow handles still remain/],
    ['use-after-drop', () => [1], /unknown handle index 1/],
    ['swallow-itself', () => [1], /cannot remove owned resource while borrowed/],
    ['give-borrowed', (thing) => [thing], /is borrowed, not owned/],
  ];
  for (const [name, args, message] of broken) {
    it(`trap on ${name}`, async () => {
      const { guest } = await things();
      assert.throws(() => guest.callSync(name, args(new Thing(9)) as object[]), isTrap('handle', message));
    });
  }
});

describe('imports', () => {
  const hostThings = { 'fixture:host/things@1.0.0': {} };

  it('that are missing are named', async () => {
    await rejectsCode(start('link-bridge'), 'import-missing', /"wait".*was not found/);
    await rejectsCode(start('link-lend'), 'import-missing', /things@1\.2\.0/);
    await rejectsCode(start('link-lend', hostThings), 'import-missing', /thing/);
  });

  it('of a wrong kind are refused', async () => {
    await rejectsCode(start('link-bridge', { wait: {} }), 'import-mismatch', /expected func found instance/);
    const thing = () => undefined;
    const given = { 'fixture:host/things@1.2.0': { thing } };
    await rejectsCode(start('link-lend', given), 'import-mismatch', /expected resource found func/);
  });

  it('are found under a compatible version only', async () => {
    await rejectsCode(
      start('async-import', { sleep: () => 0, 'fixture:store/store@0.3.0': {} }),
      'import-missing',
    );
    await rejectsCode(
      start('async-import', { sleep: () => 0, 'fixture:store/store@1.0.0': {} }),
      'import-missing',
    );
    const found = {
      sleep: () => 0,
      'fixture:store/store@0.2.99': { fetch: () => ({ tag: 'ok', val: 'x' }) },
    };
    assert.ok(await start('async-import', found));
  });

  it('are never taken from a prototype', async () => {
    const inherited = Object.create({ wait: () => 1 }) as Imports;
    await rejectsCode(start('link-bridge', inherited), 'import-missing');
  });

  it('may be instances, components and modules made by the engine, and are checked by type', async () => {
    const adder = await component('adder');
    const maths = await adder.instantiate();
    const code = (await compile(bytesOf('link-seven'))) as Compiled;
    const sum = await start('link-adders', { maths, code, adder });
    assert.equal(sum.callSync('sum', [1, 2]), 10);
    assert.equal(sum.callSync(['own', 'add'], [1, 2]), 3);
    assert.equal(
      (await start('link-adders', { maths: maths.exports, code, adder })).callSync('sum', [1, 2]),
      10,
    );
    const wrong = await start('encodings');
    await rejectsCode(start('link-adders', { maths: wrong, code, adder }), 'import-missing', /maths add/);
    await rejectsCode(
      start('link-adders', { maths, code: adder, adder }),
      'import-mismatch',
      /found component/,
    );
    const other = await component('encodings');
    await rejectsCode(start('link-adders', { maths, code, adder: other }), 'import-mismatch', /"add"/);
    const calc = await compile(bytesOf('calc'));
    await rejectsCode(start('link-adders', { maths, code: calc, adder }), 'import-mismatch', /seven/);
    const plain = new WebAssembly.Module(bytesOf('link-seven'));
    assert.equal((await start('link-adders', { maths, code: plain, adder })).callSync('sum', [1, 2]), 10);
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
