import assert from 'node:assert/strict';
import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { test } from 'node:test';
import type { WireValue } from '../../src/core/port.ts';
import { directoryGrant, firstDirectory, hostWith, temporaryDirectory } from '../support/host.ts';

/** The same numbers for the same seed, so that a failure can be seen again. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const NAMES = ['a', 'b', 'c'];

test('whatever a random path through random links reaches lies inside, and is what the system would reach', async (t) => {
  let reached = 0;
  for (let seed = 1; seed <= 25; seed++) {
    const next = numbers(seed);
    const pick = <T>(list: readonly T[]): T => list[next(list.length)]!;
    const outside = temporaryDirectory(t);
    const granted = join(outside, 'a');
    for (const dir of ['a/a/a', 'a/a/b', 'a/b/a', 'b/a']) mkdirSync(join(outside, dir), { recursive: true });
    for (const file of ['b/b', 'a/c', 'a/a/c', 'b/a/c']) writeFileSync(join(outside, file), file);
    const path = (): string =>
      Array.from({ length: 1 + next(5) }, () => pick([...NAMES, ...NAMES, '..', '..', '.', ''])).join('/');
    for (let i = 0; i < 12; i++) {
      const place = join(granted, pick(['', 'a', 'b', 'a/a']), `${pick(NAMES)}${next(2) === 0 ? '' : 'l'}`);
      const aim = next(8) === 0 ? join(outside, path()) : path();
      try {
        symlinkSync(aim === '' ? '.' : aim, place);
      } catch {
        // Something stands there already.
      }
    }
    const host = hostWith(t, directoryGrant(granted));
    const dir = await firstDirectory(host);
    for (let i = 0; i < 100; i++) {
      const asked = path()
        .split('/')
        .map((name) => (name.length === 1 && name !== '.' && next(3) === 0 ? `${name}l` : name))
        .join('/');
      const answer = await host.ask('fs.metadata-hash-at', dir, ['symlink-follow'], asked);
      if (!Array.isArray(answer)) continue;
      reached++;
      const real = realpathSync.native(`${granted}/${asked}`);
      assert.ok(real === granted || real.startsWith(granted + sep), `seed ${seed}: ${asked} → ${real}`);
      const inside = real === granted ? '.' : real.slice(granted.length + 1);
      const same: WireValue = await host.ask('fs.metadata-hash-at', dir, [], inside);
      assert.deepEqual(answer, same, `seed ${seed}: ${asked}`);
    }
    await host.close();
  }
  assert.ok(reached > 300, `only ${reached} paths led anywhere`);
});
