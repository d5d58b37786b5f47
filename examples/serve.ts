// Starts the real `witbox serve` in a process of its own, with given components and grants in a data directory of its
// own. For the conformance run and for tests; nothing in here is a part of the server.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fetchComponent } from '../src/store/source/source.ts';
import { createStore } from '../src/store/store.ts';

const START = resolve(import.meta.dirname, '../bin/witbox.cjs');

export interface Loading {
  readonly file: string;
  /** From the name of the file if left out. */
  readonly id?: string;
  /** Text of the policy to set, or `requested` for the one that comes with the component. Nothing is granted else. */
  readonly policy?: string;
  readonly session?: boolean;
}

export interface ServeOptions {
  readonly components: readonly Loading[];
  readonly env?: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
}

export interface Served {
  readonly origin: string;
  readonly dataDir: string;
  /** What it has logged so far. */
  log(): string;
  close(): Promise<void>;
}

/** Loads components into a data directory, and sets the policies. */
export async function loadComponents(dataDir: string, components: readonly Loading[]): Promise<void> {
  const store = createStore(dataDir);
  for (const { file, id: wanted, policy, session } of components) {
    const fetched = await fetchComponent(file, { directory: process.cwd() });
    const { id } = await store.load(fetched, {
      id: wanted,
      config: session ? { instance: 'session' } : undefined,
    });
    const text = policy === 'requested' ? fetched.requested : policy;
    if (text !== undefined) await store.changePolicy(id, () => text);
  }
}

export async function serve({ components, env = {}, args = [] }: ServeOptions): Promise<Served> {
  const dataDir = await mkdtemp(join(tmpdir(), 'witbox-served-'));
  await loadComponents(dataDir, components);
  const child = spawn(
    process.execPath,
    [START, 'serve', '--port', '0', '--no-management', '--data-dir', dataDir, ...args],
    { stdio: ['ignore', 'ignore', 'pipe'], env: { PATH: process.env.PATH ?? '', HOME: dataDir, ...env } },
  );
  const ended = once(child, 'exit');
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    log += text;
  });
  const port = await new Promise<string>((found, failed) => {
    child.stderr.on('data', () => {
      const [, at] = /\/\/127\.0\.0\.1:(\d+)\/mcp\n/.exec(log) ?? [];
      if (at !== undefined) found(at);
    });
    child.once('exit', () => failed(new Error(`The server did not start: ${log}`)));
  });
  return {
    origin: `http://127.0.0.1:${port}`,
    dataDir,
    log: () => log,
    async close() {
      child.kill();
      await ended;
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
