// The client against real servers, on every transport and at every revision: the fixture server, as a process and in
// this one, and Witbox as it is installed, with the same fixtures as a component in a cell.

import { join } from 'node:path';
import { after, before } from 'node:test';
import { buildExample } from '../../examples/build.ts';
import { exampleNamed } from '../../examples/list.ts';
import { type Served, serve } from '../../examples/serve.ts';
import { clientSuite } from '../../test/mcp/client-suite.ts';
import { createHarness, type Harness } from '../../test/mcp/harness.ts';
import { addressTarget, type Target } from './client.ts';

const PROGRAM = join(import.meta.dirname, '../../test/mcp/fixture/serve.ts');
const LAUNCHER = join(import.meta.dirname, '../../bin/witbox.cjs');

let harness: Harness;
let served: Served;
before(async () => {
  harness = await createHarness({ server: { pageSize: 5 } });
  const calculator = await buildExample(exampleNamed('calculator'));
  const conformance = await buildExample(exampleNamed('conformance'));
  served = await serve({
    components: [{ file: conformance, policy: 'requested' }, { file: calculator }],
  });
});
after(async () => {
  await harness.close();
  await served.close();
});

const command = (...args: string[]): Target => ({ transport: 'stdio', command: process.execPath, args });
const at = (origin: string, path: string): Target => addressTarget(`${origin}${path}`)!;
const socketAt = (origin: string): Target => at(origin.replace('http', 'ws'), '/ws');

clientSuite('witbox-fixture', {
  stdio: { target: () => command(PROGRAM, '--stdio') },
  http: { target: () => at(harness.origin, '/mcp') },
  sse: { target: () => at(harness.origin, '/sse') },
  websocket: { target: () => socketAt(harness.origin) },
});

// Every process compiles the fixtures anew, so each transport has the revisions it was made for and the newest.
clientSuite('witbox', {
  stdio: {
    target: () => command(LAUNCHER, 'serve', '--stdio', '--no-management', '--data-dir', served.dataDir),
    revisions: ['2024-11-05', '2026-07-28'],
    atOnce: 1,
  },
  http: { target: () => at(served.origin, '/mcp') },
  sse: { target: () => at(served.origin, '/sse'), revisions: ['2024-11-05', '2025-11-25'] },
  websocket: { target: () => socketAt(served.origin), revisions: ['2025-06-18', '2026-07-28'] },
});
