// A broker with one guest that loops and one empty cell; says which processes there are and waits to be killed.

import { writeSync } from 'node:fs';
import { createCells } from '../../../src/cell/cells.ts';
import { findLayers, findNamespaces, NO_LAYERS } from '../../../src/cell/layers.ts';
import { bareHost, descendants, fixture } from '../../support/cells.ts';

const wanted = process.argv[2];
const found =
  wanted === 'none' ? NO_LAYERS : wanted === 'namespaces' ? await findNamespaces() : await findLayers();
const cells = await createCells({ layers: found ?? NO_LAYERS });
const guest = await cells.load({ id: 'loop', bytes: fixture('misbehave.wasm') });
void guest.call(['loop'], {}, { host: bareHost });
setTimeout(() => {
  const pids = cells.stats().pids.flatMap((pid) => [pid, ...descendants(pid)]);
  writeSync(1, `${JSON.stringify(pids)}\n`);
}, 400);
