// What protects cells on this system, found by trying: a probe is started exactly as a cell and tells what it could
// reach. Each finding says what it means, and what is weaker where something is missing.

import type { Reach } from './inside/probe.ts';
import { launch } from './launch.ts';
import { findLayers, findTool, type Layers } from './layers.ts';
import { ownProgram } from './own-program.ts';

interface Finding {
  readonly name: string;
  readonly state: 'ok' | 'weaker' | 'broken';
  readonly text: string;
}

export interface Examination {
  readonly node: string;
  readonly platform: string;
  /** No finding is broken: cells can be used. */
  readonly usable: boolean;
  readonly findings: readonly Finding[];
}

const PROBE_MS = 10_000;
const MOST_ANSWER = 1000;

export async function examine(layers?: Layers): Promise<Examination> {
  const around = layers ?? (await findLayers());
  const reached = await probe(around);
  const findings =
    reached === null
      ? [{ name: 'cells', state: 'broken' as const, text: 'No cell could be started' }]
      : [...borders(reached), ...outer(around), ...endings(around)];
  return {
    node: process.versions.node,
    platform: `${process.platform} ${process.arch}`,
    usable: findings.every(({ state }) => state !== 'broken'),
    findings,
  };
}

function borders(reached: ReadonlySet<Reach>): Finding[] {
  const closed = (name: Reach, text: string): Finding =>
    reached.has(name)
      ? { name, state: 'broken', text: `A cell can reach ${text}: do not run components here` }
      : { name, state: 'ok', text: `A cell cannot reach ${text}` };
  return [
    closed('files', 'files'),
    closed('processes', 'other programs'),
    closed('environment', 'environment variables'),
    reached.has('network')
      ? {
          name: 'network',
          state: 'weaker',
          text: 'A cell that was taken over could open sockets: use Node 26 or newer, or allow user namespaces',
        }
      : { name: 'network', state: 'ok', text: 'A cell cannot reach the network' },
    reached.has('sockets')
      ? {
          name: 'sockets',
          state: 'weaker',
          text: 'A cell that was taken over could talk to Unix sockets of the same user: use Node 26 or newer',
        }
      : { name: 'sockets', state: 'ok', text: 'A cell cannot talk to Unix sockets' },
    reached.has('signals')
      ? {
          name: 'signals',
          state: 'weaker',
          text: 'A cell that was taken over could signal processes of the same user: allow user namespaces',
        }
      : { name: 'signals', state: 'ok', text: 'A cell cannot signal other processes' },
  ];
}

/** What the layers around Node add, and what to do for more. */
function outer({ namespaces, ownRoot, filter }: Layers): Finding[] {
  return [
    namespaces
      ? { name: 'namespaces', state: 'ok', text: 'Cells have their own user, process and network namespaces' }
      : {
          name: 'namespaces',
          state: 'weaker',
          text: 'Cells have no namespaces of their own: only the permission model of Node holds them',
        },
    ownRoot
      ? {
          name: 'root',
          state: 'ok',
          text: 'Bubblewrap shows cells nothing of the file system but their code',
        }
      : {
          name: 'root',
          state: 'weaker',
          text: `Only the permission model of Node keeps cells from files: ${howToSeal()}`,
        },
    filter !== null
      ? { name: 'system calls', state: 'ok', text: 'Cells can make only the system calls that they need' }
      : {
          name: 'system calls',
          state: 'weaker',
          text: `Cells can make every system call: ${ownRoot ? FILTERED : howToSeal()}`,
        },
  ];
}

const FILTERED = 'use Linux with seccomp on x86_64 or aarch64';

function howToSeal(): string {
  if (process.platform !== 'linux') return 'use Linux with bubblewrap';
  return findTool('bwrap') === undefined
    ? 'install bubblewrap (Debian, Ubuntu: apt install bubblewrap)'
    : 'bubblewrap is installed and cannot be used here, allow user namespaces';
}

function endings({ parentDeath }: Layers): Finding[] {
  const usage = process.platform === 'linux';
  return [
    {
      name: 'orphans',
      state: 'ok',
      text: parentDeath
        ? 'The kernel ends cells with their server'
        : process.platform === 'win32'
          ? 'The system ends cells with their server'
          : 'A watching shell ends cells with their server',
    },
    usage
      ? {
          name: 'usage',
          state: 'ok',
          text: 'Limits of processor time and memory outside WebAssembly are enforced',
        }
      : {
          name: 'usage',
          state: 'weaker',
          text: 'Processor time is limited by wall time only, memory outside WebAssembly by the heap only',
        },
  ];
}

/** What a cell could reach, or null if none could be started. */
async function probe(layers: Layers): Promise<ReadonlySet<Reach> | null> {
  const { process: child, pipe } = launch({
    ...ownProgram('probe'),
    node: process.execPath,
    layers,
    heapMb: 64,
    memoryBytes: 1 << 26,
  });
  const answer = await new Promise<string>((resolve) => {
    let text = '';
    const timer = setTimeout(() => resolve(''), PROBE_MS);
    const done = (value: string): void => {
      clearTimeout(timer);
      resolve(value);
    };
    pipe.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      if (text.endsWith('\n') || text.length > MOST_ANSWER) done(text);
    });
    pipe.on('error', () => done(''));
    child.on('error', () => done(''));
    child.on('exit', () => done(text));
  });
  child.kill('SIGKILL');
  pipe.destroy();
  try {
    return new Set(JSON.parse(answer) as Reach[]);
  } catch {
    return null;
  }
}
