// Runs mutants in a thread with little memory and says after each how far it is, so that the main thread can tell a
// hang from work. Seeds are `first`, `first + 1`, …; one seed makes one mutant.

import { parentPort, workerData } from 'node:worker_threads';
import { createRandom } from '../random-types.ts';
import { mutate } from './mutate.ts';
import { readSeeds } from './seeds.ts';

export interface FuzzOrder {
  readonly target: 'decoder' | 'engine';
  readonly first: number;
  readonly mutants: number;
  readonly progress: Int32Array;
}

const { target, first, mutants, progress } = workerData as FuzzOrder;
const { tryBytes } =
  target === 'decoder' ? await import('./decoder-target.ts') : await import('./engine-target.ts');
const seeds = readSeeds();
const outcomes: Record<string, number> = {};

for (let i = 0; i < mutants; i++) {
  const bytes = mutate(createRandom(first + i), seeds);
  try {
    const outcome = await tryBytes(bytes);
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
  } catch (error) {
    parentPort?.postMessage({ seed: first + i, error, base64: Buffer.from(bytes).toString('base64') });
  }
  Atomics.store(progress, 0, i + 1);
}
parentPort?.postMessage({ outcomes });
