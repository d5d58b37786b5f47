import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createRandom } from '../random-types.ts';
import { tryBytes } from './decoder-target.ts';
import { mutate } from './mutate.ts';
import { readSeeds } from './seeds.ts';

const MUTANTS = 4_000;

it('every committed fixture decodes and is valid', () => {
  for (const seed of readSeeds()) assert.equal(tryBytes(seed), 'valid');
});

it(`${MUTANTS} damaged binaries are read or refused with an error of ours`, () => {
  const seeds = readSeeds();
  const outcomes = { refused: 0, decoded: 0, valid: 0 };
  for (let seed = 1; seed <= MUTANTS; seed++) {
    const bytes = mutate(createRandom(seed), seeds);
    try {
      outcomes[tryBytes(bytes)]++;
    } catch (error) {
      throw new Error(`Seed ${seed} throws, bytes ${Buffer.from(bytes).toString('base64')}`, {
        cause: error,
      });
    }
  }
  // Mutants that are all refused at once, or not at all, would test nothing.
  for (const [outcome, count] of Object.entries(outcomes))
    assert.ok(count > MUTANTS / 50, `${outcome}: ${count}`);
});
