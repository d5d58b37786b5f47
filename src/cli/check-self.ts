// Starts a Witbox of its own to be checked: `witbox serve` as child processes, with the calculator and the tour that come
// along, on a free port for the network transports, and as a command for stdio. The tour may ask its client, and nothing
// else. Ends only what it started.

import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Address } from '../check/link.ts';
import { WitboxError } from '../core/errors.ts';
import { fetchComponent } from '../store/source/source.ts';
import { createStore } from '../store/store.ts';

const ROOT = join(import.meta.dirname, '../..');
const LAUNCHER = join(ROOT, 'bin/witbox.cjs');
const CALCULATOR = join(ROOT, 'examples/calculator/calculator.wasm');
const TOUR = join(ROOT, 'examples/tour/tour.wasm');
const STARTING = 30_000;

export interface Self {
  readonly addresses: readonly Address[];
  close(): Promise<void>;
}

export async function startSelf(environment: NodeJS.ProcessEnv): Promise<Self> {
  const dataDir = await mkdtemp(join(tmpdir(), 'witbox-check-'));
  await keepTour(dataDir);
  const serve = [LAUNCHER, 'serve', '--no-management', '--component', CALCULATOR, '--data-dir', dataDir];
  const child = spawn(process.execPath, [...serve, '--port', '0'], {
    env: environment,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const gone = new Promise<void>((resolve) => child.once('close', () => resolve()));

  async function close(): Promise<void> {
    child.kill('SIGTERM');
    const timer = setTimeout(() => child.kill('SIGKILL'), 5_000);
    await gone;
    clearTimeout(timer);
    await rm(dataDir, { recursive: true, force: true });
  }

  const said = await startedText(child.stderr, gone);
  const at = (scheme: string, path: string): URL | null =>
    URL.parse(new RegExp(`${scheme}://\\S+${path}(?=\\s)`).exec(said)?.[0] ?? '');
  const [http, sse, websocket] = [at('http', '/mcp'), at('http', '/sse'), at('ws', '/ws')];
  if (http === null || sse === null || websocket === null) {
    await close();
    throw new WitboxError('usage', {
      problem: `Witbox did not start: ${JSON.stringify(said.slice(-500))}`,
      help: 'witbox doctor',
    });
  }
  return {
    addresses: [
      { transport: 'stdio', command: [process.execPath, ...serve, '--stdio'], environment },
      { transport: 'http', url: http, headers: {} },
      { transport: 'sse', url: sse, headers: {} },
      { transport: 'websocket', url: websocket, headers: {} },
    ],
    close,
  };
}

/** In the data directory, with what it asks for. */
async function keepTour(dataDir: string): Promise<void> {
  const fetched = await fetchComponent(TOUR, { directory: ROOT });
  const store = createStore(dataDir);
  const { id } = await store.load(fetched, {});
  await store.changePolicy(id, () => fetched.requested ?? '');
}

/** What it prints until all addresses are there, or it ends, or it takes too long. */
function startedText(output: NodeJS.ReadableStream, gone: Promise<void>): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    const done = () => {
      clearTimeout(timer);
      resolve(text);
    };
    const timer = setTimeout(done, STARTING);
    output.setEncoding('utf8');
    output.on('data', (piece: string) => {
      if (text.length < 100_000) text += piece;
      if (/ws:\/\/\S+\n/.test(text)) done();
    });
    void gone.then(done);
  });
}
