// `npm run fuzz:decoder` and `npm run fuzz:engine`: mutates the fixtures 200,000 times (or as often as the next
// argument says, from the seed the one after says). The first target decodes and validates, the second also compiles,
// instantiates and calls. Fails on anything thrown that is not an error of ours, on a mutant that takes longer than
// ten seconds, and when the thread's 128 MB of heap do not suffice.

import { Worker } from 'node:worker_threads';
import type { FuzzOrder } from './worker.ts';

const PATIENCE_MS = 10_000;
const target = process.argv[2] === 'engine' ? 'engine' : 'decoder';
const mutants = Number(process.argv[3] ?? 200_000);
const first = Number(process.argv[4] ?? Date.now() % 1_000_000_000);
const progress = new Int32Array(new SharedArrayBuffer(4));
const order: FuzzOrder = { target, first, mutants, progress };

console.log(`${target}: ${mutants} mutants from seed ${first}`);
const started = performance.now();
const worker = new Worker(new URL('./worker.ts', import.meta.url), {
  workerData: order,
  resourceLimits: { maxOldGenerationSizeMb: 128, stackSizeMb: 4 },
});

let seen = -1;
const watch = setInterval(() => {
  const now = Atomics.load(progress, 0);
  if (now === seen) fail(`Seed ${first + now} hangs`);
  seen = now;
}, PATIENCE_MS);

worker.on('message', (message: { seed?: number; error?: unknown; base64?: string; outcomes?: object }) => {
  if (message.outcomes) {
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    console.log(`Done in ${seconds} s`, message.outcomes);
    return;
  }
  console.error(`Seed ${message.seed} throws`, message.error, message.base64);
  process.exitCode = 1;
});
worker.on('error', (error) => fail(`Seed ${first + Atomics.load(progress, 0)} ends the thread: ${error}`));
worker.on('exit', () => clearInterval(watch));

function fail(reason: string): void {
  console.error(reason);
  process.exitCode = 1;
  clearInterval(watch);
  void worker.terminate();
}
