// The server under abuse: a real `witbox serve` with keys, two components, and bounds that are reached in seconds.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createKeyStore } from '../../src/store/keys.ts';
import { parseExposition } from '../support/exposition.ts';
import { loudCall } from './raw-client.ts';

export interface Bounds {
  readonly maxConnections: number;
  readonly maxSessions: number;
  readonly requestMs: number;
}

export interface AbusedServer {
  readonly port: number;
  readonly honestKey: string;
  readonly attackerKey: string;
  /** Resident memory and descriptors of the broker, as the system tells them. */
  usage(): { readonly residentMb: number; readonly descriptors: number };
  /** A figure of /metrics, all series of it together. */
  figure(name: string): Promise<number>;
  /** Makes it use memory, so that it looks for what it can free. */
  press(): Promise<void>;
  readonly alive: boolean;
  /** What it wrote to its log, from the end. */
  log(): string;
  close(): Promise<number | null>;
}

const root = join(import.meta.dirname, '../..');
const component = (name: string): string => join(root, 'test/fixtures/cell', `${name}.wasm`);

export async function startServer({ maxConnections, maxSessions, requestMs }: Bounds): Promise<AbusedServer> {
  const folder = mkdtempSync(join(tmpdir(), 'witbox-abuse-'));
  const dataDir = join(folder, 'data');
  const keys = createKeyStore(dataDir);
  const { text: honestKey } = await keys.create({ name: 'honest' });
  const { text: attackerKey } = await keys.create({ name: 'attacker' });
  const config = join(folder, 'witbox.yaml');
  writeFileSync(
    config,
    `listen:
  port: 0
  limits: { max-connections: ${maxConnections}, max-sessions: ${maxSessions}, request-time: ${requestMs}ms, keep-alive: 500ms, session-idle: ${2 * requestMs}ms, grace: 2s }
components: [${component('add')}, ${component('loud')}]
management: { enabled: false }
authentication: { keys: true }
limits:
  caller: { requests: none, concurrent: 32, sessions: none }
  address: { requests: none, connections: none }
metrics: { enabled: true }
log: { levels: warn }
`,
  );
  const logFile = join(folder, 'log');
  const args = ['bin/witbox.cjs', 'serve', '--config', config, '--data-dir', dataDir];
  const env = { ...process.env, WITBOX_LOG: 'warn' };
  const log = (): string => readFileSync(logFile, 'utf8').slice(-4_000);
  const child = spawn(process.execPath, args, {
    cwd: root,
    env,
    stdio: ['ignore', 'ignore', openSync(logFile, 'w')],
  });
  const exited = once(child, 'exit') as Promise<[number | null]>;
  const port = await portOf(child, log);
  return {
    port,
    honestKey,
    attackerKey,
    usage: () => usageOf(child.pid!),
    async figure(name) {
      const page = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
      const samples = parseExposition(page).get(name)?.samples.values() ?? [];
      return [...samples].reduce((sum, value) => sum + value, 0);
    },
    async press() {
      for (let round = 0; round < 8; round += 1) {
        const answer = await fetch(`http://127.0.0.1:${port}/mcp`, {
          method: 'POST',
          body: loudCall(2 << 20),
          headers: { 'content-type': 'application/json', authorization: `Bearer ${honestKey}` },
        });
        await answer.arrayBuffer();
      }
    },
    get alive() {
      return child.exitCode === null && child.signalCode === null;
    },
    log,
    async close() {
      child.kill('SIGTERM');
      const [code] = await exited;
      rmSync(folder, { recursive: true, force: true });
      return code;
    },
  };
}

/** What the server says when it is up. */
async function portOf(child: ChildProcess, log: () => string): Promise<number> {
  for (const end = Date.now() + 30_000; Date.now() < end && child.exitCode === null; ) {
    const port = /http:\/\/127\.0\.0\.1:(\d+)\/mcp/.exec(log())?.[1];
    if (port !== undefined) return Number(port);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`The server did not start: ${log()}`);
}

function usageOf(pid: number): { residentMb: number; descriptors: number } {
  const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1];
  return { residentMb: Number(kilobytes) / 1_024, descriptors: readdirSync(`/proc/${pid}/fd`).length };
}
