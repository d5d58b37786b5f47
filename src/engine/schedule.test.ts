import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { component, isTrap, later, start, throwsCode } from '../../test/engine-fixtures.ts';
import { type Instance, suspending } from './engine.ts';

describe('suspending imports', () => {
  it('suspend on both sides of a border between components, and in start functions', async () => {
    const guest = await start('link-bridge', { wait: suspending((n) => later((n as number) * 10)) });
    assert.equal(await guest.call('first', []), 70);
    assert.equal(await guest.call('run', [4]), 82);
    assert.equal(await guest.call('ask', [4]), 41);
  });

  it('suspend destructors', async () => {
    const guest = await start('link-drop', { wait: suspending((n) => later((n as number) + 1)) });
    assert.equal(await guest.call('run', [4]), 5);
    assert.equal((await start('link-drop', { wait: (n) => n })).callSync('run', [4]), 4);
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

  it('are needed for promises: a plain function that returns one traps the guest', async () => {
    const guest = await start('link-drop', { wait: (n) => later(n) });
    assert.throws(() => guest.callSync('run', [4]), isTrap('host', /suspending\(\)/));
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
