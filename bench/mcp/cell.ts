// Witbox as it is used: a component in a cell, a fresh instance for every call. The built code if there is any. The
// argument says how many components are loaded; the first one has the tool `add`.

import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { report } from './report.ts';

const root = join(import.meta.dirname, '../..');
const built = existsSync(join(root, 'dist/cli/main.js'));
const load = <T>(path: string): Promise<T> =>
  import(join(root, built ? `dist/${path}.js` : `src/${path}.ts`));

const { openBroker } = await load<typeof import('../../src/cli/broker.ts')>('cli/broker');
const { createLogger } = await load<typeof import('../../src/core/log.ts')>('core/log');
const { createRedactor } = await load<typeof import('../../src/core/redact.ts')>('core/redact');
const { createProtocol } = await load<typeof import('../../src/protocol/protocol.ts')>('protocol/protocol');
const { createServer } = await load<typeof import('../../src/server/server.ts')>('server/server');
const { serveHttp } = await load<typeof import('../../src/transport/http/http.ts')>('transport/http/http');
const { serveStdio } =
  await load<typeof import('../../src/transport/stdio/stdio.ts')>('transport/stdio/stdio');
const { ANYBODY } = await load<typeof import('../../src/core/caller.ts')>('core/caller');

const log = createLogger({ levels: 'error', write: (line) => process.stderr.write(line) });
const dataDir = mkdtempSync(join(tmpdir(), 'witbox-bench-'));
const io = {
  out: (text: string) => void process.stdout.write(text),
  err: (text: string) => void process.stderr.write(text),
  env: {},
  stdin: process.stdin,
  stdout: process.stdout,
  isTerminal: false,
  redactor: createRedactor(),
  version: '0',
  stopSignal: () => new AbortController().signal,
};
const broker = await openBroker({ dataDir, components: [], manage: false, grant: false, log }, io);
const bytes = readFileSync(join(root, 'test/fixtures/wat/adder.wasm'));
for (let at = 0; at < Number(process.argv[3] ?? 1); at += 1) {
  await broker.components.add({ uri: `bench:${at}`, name: `adder-${at}`, bytes });
}
await broker.ready;
const protocol = createProtocol(createServer(broker.catalog, { info: { name: 'bench', version: '1' } }), log);
process.on('exit', () => rmSync(dataDir, { recursive: true, force: true }));
if (process.argv[2] === 'stdio') {
  await serveStdio(protocol, { input: process.stdin, output: process.stdout }, ANYBODY).closed;
  await broker.close();
} else report((await serveHttp(protocol)).port);
