// One `witbox serve` of the built code with the trivial component, and what its broker used of the processor.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Served {
  readonly port: number;
  /** Of the broker alone, in microseconds. */
  cpuUs(): number;
  close(): Promise<void>;
}

const root = join(import.meta.dirname, '../..');
const COMPONENT = join(root, 'test/fixtures/wat/adder.wasm');
const TICK_US = 10_000;

/** `config`: witbox.yaml without what all servers here have; null: no file at all, so no gate. */
export async function serve(folder: string, config: string | null): Promise<Served> {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'witbox.yaml');
  if (config !== null) writeFileSync(file, config);
  const log = join(folder, 'log');
  const args = [
    ...[join(root, 'bench/mcp/built.mjs'), 'serve', '--http', '--port', '0', '--no-management'],
    ...['--component', COMPONENT, '--data-dir', join(folder, 'data')],
    ...(config === null ? [] : ['--config', file]),
  ];
  const env = { ...process.env, WITBOX_LOG: 'warn' };
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', openSync(log, 'w')] });
  let port: number | null = null;
  for (const end = Date.now() + 20_000; port === null && Date.now() < end; await sleep(50)) {
    const found = /http:\/\/127\.0\.0\.1:(\d+)\/mcp/.exec(readFileSync(log, 'utf8'))?.[1];
    if (found !== undefined) port = Number(found);
    if (child.exitCode !== null) break;
  }
  if (port === null) throw new Error(`The server did not start: ${readFileSync(log, 'utf8')}`);
  return {
    port,
    cpuUs() {
      const fields = readFileSync(`/proc/${child.pid}/stat`, 'latin1').split(') ')[1]!.split(' ');
      return (Number(fields[11]) + Number(fields[12])) * TICK_US;
    },
    async close() {
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}
