// `npm run crash`: kills a process that writes to a data directory 200 times, or as often as the argument says.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { killLoop } from './kill-loop.ts';

const kills = Number(process.argv[2] ?? 200);
const directory = await mkdtemp(join(tmpdir(), 'witbox-crash-'));
try {
  const { acknowledged, underWay } = await killLoop(directory, kills, Date.now() % 1_000_000);
  console.log(
    `${kills} kills, ${acknowledged} changes acknowledged and all there, ${underWay} cut in the middle`,
  );
} finally {
  await rm(directory, { recursive: true, force: true });
}
