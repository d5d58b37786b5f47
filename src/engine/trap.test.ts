import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isTrap, start } from '../../test/engine-fixtures.ts';
import type { Instance, Trap } from './engine.ts';

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
