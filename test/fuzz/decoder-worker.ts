// Runs mutants in a thread with little memory and says after each how far it is, so that the main thread can tell a
// hang from work. Seeds are `first`, `first + 1`, …; one seed makes one mutant.

import { parentPort, workerData } from 'node:worker_threads';
import { createRandom } from '../random-types.ts';
import { type Outcome, readSeeds, tryBytes } from './decoder-target.ts';
import { mutate } from './mutate.ts';

export interface FuzzOrder {
  readonly first: number;
  readonly mutants: number;
  readonly progress: Int32Array;
}

const { first, mutants, progress } = workerData as FuzzOrder;
const seeds = readSeeds();
const outcomes: Record<Outcome, number> = { refused: 0, decoded: 0, valid: 0 };

for (let i = 0; i < mutants; i++) {
  const bytes = mutate(createRandom(first + i), seeds);
  try {
    outcomes[tryBytes(bytes)]++;
  } catch (error) {
    parentPort?.postMessage({ seed: first + i, error, base64: Buffer.from(bytes).toString('base64') });
  }
  Atomics.store(progress, 0, i + 1);
}
parentPort?.postMessage({ outcomes });
