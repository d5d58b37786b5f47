// A broker with one guest that loops and one empty cell; says which processes there are and waits to be killed.

import { writeSync } from 'node:fs';
import { createCells } from '../../../src/cell/cells.ts';
import { findLayers, NO_LAYERS } from '../../../src/cell/layers.ts';
import { bareHost, descendants, fixture } from '../../support/cells.ts';

const cells = await createCells({ layers: process.argv[2] === 'none' ? NO_LAYERS : await findLayers() });
const guest = await cells.load({ id: 'loop', bytes: fixture('misbehave.wasm') });
void guest.call(['loop'], {}, { host: bareHost });
setTimeout(() => {
  const pids = cells.stats().pids.flatMap((pid) => [pid, ...descendants(pid)]);
  writeSync(1, `${JSON.stringify(pids)}\n`);
}, 400);
