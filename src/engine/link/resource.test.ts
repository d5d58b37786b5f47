import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { component, isTrap, start, throwsCode } from '../../../test/engine-fixtures.ts';
import { Handle, hostResource, type Instance } from '../engine.ts';

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

  it('of the host that a guest still owns are dropped when the instance is disposed of', async () => {
    const { guest, dropped } = await things();
    guest.callSync('hoard', [6]);
    guest.callSync('hoard', [7]);
    assert.deepEqual(dropped, []);
    guest.dispose();
    assert.deepEqual(dropped, [6, 7]);
    throwsCode(() => guest.callSync('hoard', [8]), 'export-missing');
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

  it('cross from one guest to another, and are destroyed where they were made', async () => {
    const pair = await start('link-pair');
    assert.equal(pair.callSync('use', [21]), 42);
    assert.equal(pair.callSync(['maker', 'live'], []), 0);
    const handle = pair.callSync(['maker', 'make'], [5]) as Handle;
    assert.equal(handle.type, 'r');
    assert.equal(pair.callSync(['maker', 'peek'], [handle]), 5);
    assert.equal(pair.callSync(['maker', 'live'], []), 1);
    handle.dispose();
    assert.equal(pair.callSync(['maker', 'live'], []), 0);
  });

  const crossed = [
    ['take-twice', 'handle', /unknown handle index 1/],
    ['lend-and-give', 'handle', /cannot remove owned resource while borrowed/],
    ['catch', 'exception', /uncaught exception propagated out of component/],
    ['kin', 'reentrance', /cannot enter component instance/],
  ] as const;
  for (const [name, kind, message] of crossed) {
    it(`trap between guests on ${name}`, async () => {
      const pair = await start('link-pair');
      assert.throws(() => pair.callSync(name, [1]), isTrap(kind, message));
      assert.throws(() => pair.callSync('use', [1]), isTrap('reentrance'));
    });
  }
});
